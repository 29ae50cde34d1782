import http.server
import re
import threading
import unicodedata
import zipfile

import pooch
import pytest

import attention_lib.corpus.pair_files
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
    assert tokenize("好，ＯＫ") == ["好", "，", "ｏｋ"]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("我喜欢，注意力。", "我 喜 欢 ， 注 意 力 。"),
        ("他说：“你好（世界）！”……", "他 说 ： “ 你 好 （ 世 界 ） ！ ” … …"),
        ("我有2本书,GPT-4 写的;真的?", "我 有 2 本 书 , gpt-4 写 的 ; 真 的 ?"),
        ("我爱“Attention”——真的", "我 爱 “ attention ” — — 真 的"),
        ("〇人々𠮷", "〇 人 々 𠮷"),
        ("私はカメラを「ください」。", "私 は カ メ ラ を 「 く だ さ い 」 。"),
        ("ｶﾒﾗ、ラーメン", "ｶ ﾒ ﾗ 、 ラ ー メ ン"),
        ("나는 학생입니다.", "나는 학생입니다 ."),
        ("ฉันรักคุณ", "ฉันรักคุณ"),
        ("Hello，world！（ok）", "hello ， world ！ （ ok ）"),
    ],
)
def test_text_without_spaces_is_cut_by_characters(text, tokens):
    """By hand: Han and kana one by one, their marks apart; Korean at spaces, Thai not at all."""
    assert tokenize(text) == tokens.split()


def test_every_han_character_and_kana_is_a_token():
    """By the names that Unicode gives them, whatever block they stand in."""
    named = re.compile("(?:CJK (?:UNIFIED|COMPATIBILITY) IDEOGRAPH|HIRAGANA|KATAKANA)[ -]")
    for character in map(chr, range(0x2E80, 0x32000)):
        name = unicodedata.name(character, "")
        # A few letters of both kana that are written nowhere today lie far away.
        if named.match(name) and not 0x1AFF0 <= ord(character) < 0x1B170:
            (composed,) = unicodedata.normalize("NFC", character)
            assert tokenize(f"a{character}b") == ["a", composed, "b"], name


def test_every_wide_mark_is_a_token():
    """By their width and category in Unicode, in a text without Han too."""
    wide = [
        character
        for character in map(chr, range(0x2E80, 0x10000))
        if unicodedata.category(character)[0] == "P"
        and unicodedata.east_asian_width(character) in "WFH"
        and character != "＇"  # an apostrophe, and treated as one
    ]
    assert len(wide) > 100
    for mark in wide:
        assert tokenize(f"ab{mark}cd") == ["ab", mark, "cd"], f"U+{ord(mark):04X}"


def test_a_text_in_latin_letters_is_cut_as_before():
    """By hand: marks that Chinese shares with English stay in their words there."""
    text = "“Oui…” — he said: (well-known); «ça» 10:30 l’été"
    assert tokenize(text) == [
        *("“oui…”", "—", "he", "said:", "(well-known);", "«ça»", "10:30", "l'", "été"),
    ]


def test_a_file_can_be_cut_by_a_tokenizer_of_its_own(tmp_path):
    """One for both languages, or one for each, such as words for Chinese."""
    path = tmp_path / "pairs.txt"
    path.write_text("Go, Tom.\t汤姆 去吧。\n", encoding="utf-8-sig")
    for read in (read_pairs, load_pairs):
        (by_spaces,) = read(path, tokenize=str.split)
        assert by_spaces == Pair(("Go,", "Tom."), ("汤姆", "去吧。"))
        (both,) = read(path, tokenize=(tokenize, str.split))
        assert both == Pair(("go", ",", "tom", "."), ("汤姆", "去吧。"))
        (usual,) = read(path)
        assert usual.target == ("汤", "姆", "去", "吧", "。")


def test_a_tokenizer_that_gives_text_is_refused(tmp_path):
    """Its letters would be taken for tokens."""
    path = tmp_path / "pairs.txt"
    path.write_text(TEXT, encoding="utf-8")
    with pytest.raises(TypeError, match=r"list of tokens wanted, got the text 'go\.'"):
        read_pairs(path, tokenize=str.lower)


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


ENCODED = {
    "cp1252": "Go.\tVa !\nSummer.\tL’été est là.\n",
    "gb18030": "Go.\t走。\nI ate an apple.\t我吃了一个苹果。\n",
    "big5": "Go.\t走。\nI ate an apple.\t我吃了一個蘋果。\n",
    "cp932": "I am a student.\t私は学生です。\n",
    "cp949": "I am a student.\t나는 학생입니다.\n",
    "cp1251": "I love you.\tЯ тебя люблю.\n",
    "utf-16": "Go.\tVa !\n",
    "utf-32": "Go.\tVa !\n",
    "utf-16-le": "Go.\tVa !\n",
    "utf-16-be": "Summer.\tL’été.\n",
    "iso2022_jp": "I am a student.\t私は学生です。\n",
}


@pytest.mark.parametrize("read", [read_pairs, load_pairs])
@pytest.mark.parametrize("encoding", ENCODED)
def test_the_error_names_an_encoding_that_works(tmp_path, encoding, read):
    """With what it makes of a line, so that a reader sees which one is right; and it is an argument
    of the function that was called."""
    path, text = tmp_path / "old.txt", ENCODED[encoding]
    path.write_bytes(text.encode(encoding))
    line = next((line for line in text.split("\n") if not line.isascii()), text.split("\n")[0])
    with pytest.raises(ValueError, match=r"old\.txt.* utf-8 .*it would read ") as error:
        read(path)
    assert f"{line!r} with encoding='{encoding}'" in str(error.value)
    path_of_utf8 = tmp_path / "new.txt"
    path_of_utf8.write_text(text, encoding="utf-8")
    assert read(path, encoding=encoding) == read(path_of_utf8)


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ("gb18030", "cp1252"),
        ("gb18030", "latin-1"),
        ("big5", "cp1252"),
        ("cp949", "iso-8859-15"),
        ("cp932", "latin-1"),
        ("cp1252", "latin-1"),
        ("cp1251", "cp1252"),
        ("cp1251", "mac_roman"),
        ("utf-16", "cp1252"),
        ("utf-16", "latin-1"),
        ("utf-16-le", "cp1252"),
        ("utf-16-be", "gb18030"),
        ("iso2022_jp", "cp1252"),
    ],
)
def test_nonsense_is_not_read_in_silence(tmp_path, written, read_as):
    """Nearly any bytes are letters in cp1252: ÎÒ³ÔÁË. The error shows them, and what would fit."""
    path = tmp_path / "old.txt"
    path.write_bytes(ENCODED[written].encode(written))
    with pytest.raises(ValueError, match=f"old.txt.* {read_as} .*encoding='{written}'"):
        read_pairs(path, encoding=read_as)


@pytest.mark.parametrize("text", ["Summer.\tL’été.\n", "I ate.\t我吃了。\n", "Go.\tИди!\n"])
@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "gb18030", "cp1251", "mac_roman"])
def test_utf_8_is_not_read_as_something_else(tmp_path, text, encoding):
    """L’été is not LâÃ©tÃ©, whoever asks for it."""
    path = tmp_path / "new.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=rf"new\.txt.* {encoding} .*encoding='utf-8'|wanted, got"):
        read_pairs(path, encoding=encoding)


ACCENTS = {
    "cp1252": ["Été à Noël", "¿Qué? ¡Niño!", "Åäö är på ön", "Açãoções não é só", "« Œuvre »…"],
    "latin-1": ["Été à Noël", "¿Qué? ¡Niño!", "Åäö är på ön", "Açãoções não é só", "là"],
    "iso-8859-15": ["Été à Noël", "Åäö är på ön", "Grüße, Übermäßig", "Œuvre"],
    "cp1250": ["żółć", "Příšerně žluťoučký kůň", "———————"],
    "mac_roman": ["Été à Noël", "¿Qué? ¡Niño!", "« Œuvre »…"],
}


@pytest.mark.parametrize("encoding", ACCENTS)
def test_real_sentences_full_of_accents_are_read(tmp_path, encoding):
    """What refuses nonsense must not refuse these, short as the file may be."""
    path = tmp_path / "old.txt"
    for sentence in ACCENTS[encoding]:
        path.write_bytes(f"x\t{sentence}\n".encode(encoding))
        assert read_pairs(path, encoding=encoding) == [Pair(("x",), tuple(tokenize(sentence)))]


def test_an_image_is_no_text(tmp_path):
    """Whatever is asked for, NUL is in no text."""
    path = tmp_path / "a.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\tx\n\xff")
    for encoding in ("utf-8", "latin-1"):
        with pytest.raises(ValueError, match=r"a\.png.*is it a text file\?"):
            read_pairs(path, encoding=encoding)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        (
            "1276\tLet's try.\t4851\tEssayons.\n",
            "1 numbers ('1276'), 2 text (\"Let's try.\"), 3 numbers ('4851'), "
            "4 text ('Essayons.'); keep only columns 2 and 4",
        ),
        ("1276\teng\tLet's try.\n1277\teng\tGo.\n", "2 a language code ('eng')"),
        ("eng\tGo.\tfra\tVa !\neng\tHi.\tfra\tSalut !\n", "keep only columns 2 and 4"),
        ("Go.\t12\tVa !\t13\nHi.\t14\tSalut !\t15\n", "keep only columns 1 and 3"),
        ("1.0813\tGo.\tVa !\n1.2e-1\tHi.\tSalut !\n", "1 numbers ('1.0813')"),
        ("1276\t4851\n1277\t4852\n", "1 numbers ('1276'), 2 numbers ('4851')"),
        ("https://a.org/1\thttps://a.org/2\tGo.\tVa !\n", "1 addresses ('https://a.org/1')"),
    ],
)
def test_columns_of_an_export_are_refused(tmp_path, text, seen):
    """Numbers, languages, scores, links and addresses: the error says which column holds what."""
    path = tmp_path / "export.tsv"
    path.write_text(text, encoding="utf-8")
    for read in (read_pairs, load_pairs):
        with pytest.raises(ValueError, match=r"export\.tsv: columns 1 source, 2 target ") as error:
            read(path)
        assert seen in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "1276\tmille deux cent soixante-seize\n3\ttrois\n",
        "1990.\t1990.\tours\nGo.\tVa !\tours\n",
        "1\tUn.\tours\nGo.\tVa !\n",
        "no\tnon\tours\n",
        "1 2 3\t3 2 1\n4 5\t5 4\n",
        "Go.\tVa !\t1276\t4851\nHi.\tSalut !\t1277\t4852\n",
    ],
)
def test_pairs_with_numbers_are_pairs(tmp_path, text):
    """Numbers and their names, a year among sentences, digits to be turned round."""
    path = tmp_path / "pairs.tsv"
    path.write_text(text, encoding="utf-8")
    expected = [tuple(line.split("\t")[:2]) for line in text.strip().split("\n")]
    assert read_pairs(path, tokenize=lambda cell: [cell]) == [Pair((s,), (t,)) for s, t in expected]


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
    monkeypatch.setattr(attention_lib.corpus.pair_files, "FRA_ENG", url)
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
    monkeypatch.setattr(
        attention_lib.corpus.pair_files, "FRA_ENG", "http://127.0.0.1:9/fra-eng.zip"
    )
    monkeypatch.setattr(pooch, "os_cache", lambda project: tmp_path / project)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with pytest.raises(ConnectionError, match=r"fra-eng\.zip.*path.*grammar_corpus\(\)") as error:
        load_pairs("fra-eng")
    assert "\n" not in str(error.value) and error.value.__suppress_context__
