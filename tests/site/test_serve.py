"""The server behind ``make book``."""

import re
import signal
import socket
import urllib.request

from tests.extent import PATIENCE


def test_busy_port_moves_on(small_book):
    """A busy port is named, the next free one is taken, and Ctrl-C ends without a traceback."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        busy = other.getsockname()[1]
        process = small_book.start("--serve", "--port", str(busy))
        said = ""
        while not (found := re.search(r"http://127\.0\.0\.1:(\d+)/", said)):
            line = process.stdout.readline()
            assert line, process.stderr.read()
            said += line
        assert f"Port {busy} is busy" in said
        assert int(found[1]) > busy
        page = urllib.request.urlopen(f"{found[0]}zh/page.html")
        assert "constant one" in page.read().decode()
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert "Traceback" not in output + errors
