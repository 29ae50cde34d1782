"""Serve a folder to this machine's own browsers."""

import functools
import http.server
import sys


class Handler(http.server.SimpleHTTPRequestHandler):
    def end_headers(self):
        # A page that was built again must show on the next visit.
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        # A browser that leaves a page early closes its connections: nothing to report.
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def open_server(folder, port):
    """Return a server on the first free port from ``port`` on."""
    handler = functools.partial(Handler, directory=folder)
    for candidate in range(port, 65536):
        try:
            server = Server(("127.0.0.1", candidate), handler)
        except OSError:
            print(f"Port {candidate} is busy, trying the next one.", flush=True)
        else:
            return server
    raise SystemExit(f"No port from {port} to 65535 is free.")


def serve(folder, port):
    with open_server(folder, port) as server:
        print(f"The book is at http://127.0.0.1:{server.server_port}/ (Ctrl-C ends).", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print("\nStopped.")
