import http.server
import threading
import unicodedata
import zipfile

import pooch
import pytest

import attention_lib.corpus.pairs
from attention_lib import Pair, grammar_corpus, load_pairs, read_pairs, tokenize

GO, WE_LOST = Pair(("go", "."), ("va", "!")), Pair(("we", "lost", "."), ("on", "a", "perdu", "."))
TEXT = "Go.\tVa !\tCC-BY 2.0 (France) Attribution: ours\nWe lost.\tOn a perdu.\n"

SPACES = [c for c in map(chr, range(0x110000)) if unicodedata.category(c) == "Zs"]
INVISIBLE = ["\N{ZERO WIDTH SPACE}", "\N{WORD JOINER}", "\N{ZERO WIDTH NO-BREAK SPACE}"]


def test_words_and_marks():
    """By hand: capitals lowered, the four marks split off, all other signs left in words."""
    assert tokenize("Hi, Tom! Who's here?") == ["hi", ",", "tom", "!", "who's", "here", "?"]
    assert tokenize("Well-known: 3.5...") == ["well-known:", "3", ".", "5", ".", ".", "."]
    assert tokenize(" \t\n") == []


@pytest.mark.parametrize(
    "space", [*SPACES, "\t", "\n", *INVISIBLE], ids=lambda s: f"U+{ord(s):04X}"
)
def test_every_kind_of_space_separates(space):
    """French files have narrow no-break spaces before ! and ?, and worse comes by copying."""
    assert tokenize(f"Ça va{space}bien{space}!{space}") == ["ça", "va", "bien", "!"]


def test_letters_keep_their_accents_and_are_composed():
    """é typed as e and a combining accent is the same word; É lowers to é."""
    decomposed = unicodedata.normalize("NFD", "L'ÉTÉ à Noël")
    assert decomposed != "L'ÉTÉ à Noël"
    assert tokenize(decomposed) == tokenize("l'été à noël") == ["l'", "été", "à", "noël"]


def test_compatibility_forms_are_left_alone():
    """NFKC would take … for three full stops and ， for a comma, and change what was written."""
    assert tokenize("oui… x²") == ["oui…", "x²"]
    assert tokenize("我喜欢，注意力。") == ["我喜欢，注意力。"]


@pytest.mark.parametrize("apostrophe", "'’‘ʼ＇")
def test_french_elision_and_english_contraction(apostrophe):
    """However the apostrophe was typed, j' and qu' stand alone; don't and aujourd'hui are whole."""
    text = "J'ai l'œuf qu'il veut, jusqu'ici aujourd'hui, n'est-ce pas ?"
    expected = "j' ai l' œuf qu' il veut , jusqu' ici aujourd'hui , n' est-ce pas ?"
    assert tokenize(text.replace("'", apostrophe)) == expected.split()
    english = "I don't know; it's Tom's, he can't've, rock'n'roll"
    assert "'" in english and not any(
        token.endswith("'") for token in tokenize(english.replace("'", apostrophe))
    )


def test_the_corpus_is_tokenized_already(unchecked):
    """What a reader types is cut into the words that the models have learned."""
    with unchecked():
        corpus = grammar_corpus(size=2000)
    for pairs in corpus.values():
        for pair in pairs:
            for tokens in (pair.source, pair.target):
                assert tuple(tokenize(" ".join(tokens).capitalize())) == tokens
                assert tuple(tokenize(" ".join(tokens).replace("' ", "'"))) == tokens


@pytest.mark.parametrize(
    "content",
    [
        TEXT.encode(),
        TEXT.encode("utf-8-sig"),
        TEXT.replace("\n", "\r\n").encode(),
        TEXT.replace("\n", "\n\n \t \n").encode(),
        TEXT.strip().encode(),
        TEXT.replace("Va !", "Va\N{NARROW NO-BREAK SPACE}!").encode(),
    ],
    ids=["plain", "byte order mark", "Windows lines", "blank lines", "no last line end", "U+202F"],
)
def test_a_file_is_read_however_it_was_saved(tmp_path, content):
    """Two pairs, with and without the third column."""
    path = tmp_path / "pairs.txt"
    path.write_bytes(content)
    assert read_pairs(path) == read_pairs(str(path)) == load_pairs(path) == [GO, WE_LOST]


def test_a_line_separator_inside_a_sentence_is_a_space(tmp_path):
    """str.splitlines() would cut the pair in two at U+2028 or a vertical tab."""
    path = tmp_path / "pairs.txt"
    path.write_text("Go\u2028.\tVa\x0b!\n", encoding="utf-8")
    assert read_pairs(path) == [GO]


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16"])
def test_a_windows_file_needs_its_encoding(tmp_path, encoding):
    """Guessing would turn é into Ã©: the error names file, line and byte, and the way out."""
    path = tmp_path / "old.txt"
    path.write_bytes("Go.\tVa !\nSummer.\tL’été.\n".encode(encoding))
    with pytest.raises(ValueError, match=rf"old\.txt, line [12]: .*utf-8.*0x.*'{encoding}'"):
        read_pairs(path)
    assert read_pairs(path, encoding=encoding)[1] == Pair(("summer", "."), ("l'", "été", "."))


@pytest.mark.parametrize("line", ["Go. Va !", "\tVa !", "Go.\t", "Go.\t \tCC-BY"])
def test_a_line_that_is_no_pair_is_refused(tmp_path, line):
    """Nothing is dropped in silence: file, line number and content are named."""
    path = tmp_path / "pairs.txt"
    path.write_text(TEXT + "\n" + line + "\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"pairs\.txt, line 4: source, tab, target") as error:
        read_pairs(path)
    assert repr(line) in str(error.value)


def test_an_empty_file_is_refused(tmp_path):
    """Blank lines hold no pair either."""
    path = tmp_path / "nothing.txt"
    for content in ("", "\n\n"):
        path.write_text(content)
        with pytest.raises(ValueError, match=r"nothing\.txt.*empty"):
            read_pairs(path)


def test_an_unknown_name_is_refused(tmp_path):
    """The message says which names there are; a folder is no file."""
    for name in ("fra-ger", tmp_path):
        with pytest.raises(FileNotFoundError, match=f"'fra-eng'.*{name}"):
            load_pairs(name)


def archive(path, members):
    with zipfile.ZipFile(path, "w") as opened:
        for name, content in members.items():
            opened.writestr(name, content)
    return path


def test_an_archive_is_read_as_it_comes(tmp_path):
    """The download holds the text and an _about.txt; two texts would be a guess."""
    members = {"_about.txt": "about", "__MACOSX/._fra.txt": "junk", "fra.txt": TEXT}
    path = archive(tmp_path / "fra-eng.zip", members)
    assert load_pairs(path) == [GO, WE_LOST]
    path = archive(tmp_path / "two.zip", {"a.txt": TEXT, "b.txt": TEXT})
    with pytest.raises(ValueError, match=r"two\.zip: one text file.*'a\.txt', 'b\.txt'"):
        read_pairs(path)


@pytest.fixture
def host(tmp_path, monkeypatch):
    """A host of our own in place of ManyThings: what it serves, and the requests it has seen."""
    served = {"content": b"", "requests": []}

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            served["requests"].append(self.headers["User-Agent"])
            self.send_response(200)
            self.send_header("Content-Length", str(len(served["content"])))
            self.end_headers()
            self.wfile.write(served["content"])

        def log_message(self, *args):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/fra-eng.zip"
    monkeypatch.setattr(attention_lib.corpus.pairs, "FRA_ENG", url)
    monkeypatch.setattr(pooch, "os_cache", lambda project: tmp_path / "cache" / project)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    yield served
    server.shutdown()
    server.server_close()


def test_the_public_file_is_downloaded_once(host, tmp_path):
    """The second time it comes from the cache; the host learns who asks."""
    host["content"] = archive(tmp_path / "a.zip", {"fra.txt": TEXT}).read_bytes()
    assert load_pairs("fra-eng") == load_pairs("fra-eng") == [GO, WE_LOST]
    assert host["requests"] == ["attention_lib"]


def test_a_log_in_page_does_not_stay_in_the_cache(host, tmp_path):
    """Networks that ask for a password answer every request with a page."""
    host["content"] = b"<html>Please log in</html>"
    with pytest.raises(ConnectionError, match="BadZipFile"):
        load_pairs("fra-eng")
    host["content"] = archive(tmp_path / "a.zip", {"fra.txt": TEXT}).read_bytes()
    assert load_pairs("fra-eng") == [GO, WE_LOST]


def test_offline_names_what_needs_no_network(tmp_path, monkeypatch):
    """One line: what could not be had, and the two ways on."""
    monkeypatch.setattr(attention_lib.corpus.pairs, "FRA_ENG", "http://127.0.0.1:9/fra-eng.zip")
    monkeypatch.setattr(pooch, "os_cache", lambda project: tmp_path / project)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with pytest.raises(ConnectionError, match=r"fra-eng\.zip.*path.*grammar_corpus\(\)") as error:
        load_pairs("fra-eng")
    assert "\n" not in str(error.value) and error.value.__suppress_context__
