"""The confidence of an answer: every format states it if the answer is not sure, and only then."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from context_pack import render
from context_pack.envelope import answered
from context_pack.options.resolve import Layer
from context_pack.options.spec import FORMATS
from context_pack.render.html.document import document
from context_pack.session import Session
from contracts.records import Pack, as_data

HELP = '''class HelpFormatter:
    """Formats the help page of a command."""

    def write_usage(self, program, arguments):
        return f"usage: {program} {arguments}"
'''
COMMAND = """from formatting import HelpFormatter


def show_help(command):
    return HelpFormatter().write_usage(command, "")
"""
SAID = {
    "weak": {"json": "weak", "md": "(weak match)", "text": "(weak match)", "html": "(weak match)",
             "xml": 'confidence="weak"', "toon": "confidence: weak"},
    "none": {"json": "none", "md": "(no confident match)", "text": "(no confident match)",
             "html": "(no confident match)", "xml": 'confidence="none"', "toon": "confidence: none"},
}  # fmt: skip
HINTS = {"weak": "Weak match", "none": "No confident match"}
QUESTIONS = {
    "strong": "HelpFormatter",
    "weak": "page of arguments on the screen",
    "none": "how are kubernetes volumes mounted by the usage of a scheduler in the cluster",
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Session:
    root = tmp_path_factory.mktemp("tree")
    (root / "src").mkdir()
    for name, text in {"src/formatting.py": HELP, "src/command.py": COMMAND}.items():
        (root / name).write_text(text)
    return Session.open(root, {"model": "embedded", "index_dir": tmp_path_factory.mktemp("home")})


def printed(tree: Session, name: str, query: str) -> tuple[Pack, str]:
    pack = Session(tree.corpus, Layer({"format": name, "model": "embedded"})).query(query).data
    text = document(pack) if name == "html" else render.layout(name).render(pack)
    if text is not None and name != "html":
        assert len(text.encode()) == pack.budget.used_chars, "the mark is counted"
    return pack, as_data(pack).get("confidence", "") if text is None else text


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("grade", ["weak", "none"])
def test_every_format_marks_an_answer_that_is_not_sure(tree: Session, name: str, grade: str) -> None:
    pack, text = printed(tree, name, QUESTIONS[grade])
    assert pack.items and pack.confidence == grade
    assert SAID[grade][name] in text


@pytest.mark.parametrize("name", FORMATS)
def test_an_answer_that_is_sure_has_no_mark(tree: Session, name: str) -> None:
    pack, text = printed(tree, name, QUESTIONS["strong"])
    assert pack.items and pack.confidence == ""
    assert "match)" not in text and "confidence" not in text


@pytest.mark.parametrize("grade", ["strong", "weak", "none"])
def test_the_envelope_contains_the_grade_and_its_reason(conforms: Any, tree: Session, grade: str) -> None:
    answer = tree.query(QUESTIONS[grade])
    envelope = as_data(answered(answer, tree.corpus))
    conforms(envelope, "envelope")
    conforms(envelope["data"], "context_pack")
    told = envelope["meta"]["confidence"]
    assert told["grade"] == grade and told["reason"]
    warned = [hint["text"] for hint in envelope["hints"] if hint["type"] == "warn"]
    assert warned == ([] if grade == "strong" else [text for text in warned if text.startswith(HINTS[grade])])
    assert len(warned) == (grade != "strong")


@pytest.mark.parametrize("query", ["HelpFormater", "helpFormatterr", "HelpFromatter", "HelpFormatte"])
def test_a_misspelt_name_is_answered_by_the_nearest_one(tree: Session, query: str) -> None:
    answer = tree.query(query)
    assert answer.data.items[0].symbol == "HelpFormatter"
    assert answer.data.confidence == "weak"
    assert answer.grade is not None and "HelpFormatter" in answer.grade.reason
    texts = [hint.text for hint in answer.hints]
    assert f"Nothing is named {query} here: showing HelpFormatter, the nearest name." in texts
    assert "`ctxpack query HelpFormatter`" in texts


def test_a_name_in_another_case_is_answered_by_the_nearest_one_although_code_contains_that(tmp_path: Path) -> None:
    names = "".join(f"def cart_filter_url{n}(cart):\n    return setCartFilterURL(cart, url=filter)\n" for n in range(9))
    (tmp_path / "cart.py").write_text(f"{names}\n\ndef setCartFilterURL(cart, url): ...\n")
    tree = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / ".index"})
    answer = tree.query("setCartFilterURl", related=0)
    assert answer.data.items[0].symbol == "setCartFilterURL" and answer.data.confidence == "weak"


def test_a_name_in_small_letters_is_answered_by_its_definition_before_its_callers(tmp_path: Path) -> None:
    code = "def handle_error(reply):\n    raise RequestError(reply)\n\n\nclass Reply:\n    error = RequestError(1)\n"
    (tmp_path / "handling.py").write_text(code)
    members = "".join(f"    part{number} = {number}\n" for number in range(9))
    (tmp_path / "errors.py").write_text(f"class RequestError:\n{members}")
    tree = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / ".index"})
    answer = tree.query("requesterror", related=0)
    assert answer.data.items[0].file == "errors.py" and answer.data.confidence == "weak"


@pytest.mark.parametrize("query", ["noreply", "`noreply`", ":noreply", "NULL", "R.layout.main", "who calls noReply?"])
def test_a_name_that_code_contains_is_not_misspelt(tmp_path: Path, query: str) -> None:
    for number in range(20):
        code = f'def handle_{number}(state):\n    return NULL, noreply, noReply(main, "{number}")\n'
        (tmp_path / f"handler{number}.py").write_text(code)
    names = "def io_reply(): ...\n\n\ndef full(): ...\n\n\nclass Mail: ...\n\n\ndef handles(): ...\n"
    (tmp_path / "proxy.py").write_text(names)
    tree = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / ".index"})
    assert tree.query(query).data.query == query
    assert tree.query("handle_12s").data.query == "handle_12"


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Session:
    root = tmp_path_factory.mktemp("commands")
    (root / "formatting.py").write_text(HELP)
    (root / "command.py").write_text(COMMAND)
    table = 'def formatter(arguments):\n    """Decodes all into a table."""\n\n\ndef decode(text):\n    return text\n'
    (root / "table.py").write_text(table)
    return Session.open(root, {"model": "embedded", "index_dir": tmp_path_factory.mktemp("home")})


@pytest.mark.parametrize(
    ("query", "read"),
    [
        ("where are the argumetns in a tabel?", "argumetns as arguments, tabel as table"),
        ("how are argumentx decodd?", "argumentx as arguments, decodd as decode"),
        ("where is the argumentor", ""),  # a different word than `arguments`: only the endings differ
        ("how is the page formateed", ""),  # `formats` is another form of it, not another spelling
        ("how is the helper decided", ""),  # a real word with another meaning than `decode`
        ("the manual of the terminal", ""),
    ],
)
def test_misspelt_words_of_a_question_are_read_as_the_code_spells_them(
    commands: Session, query: str, read: str
) -> None:
    for answer in (commands.query(query), commands.search(query)):
        hints = [hint.text for hint in answer.hints if hint.text.startswith("Words not found")]
        assert hints == ([f"Words not found here were read as they are spelled in the code: {read}."] if read else [])
        assert answer.data.query == query


def test_a_misspelt_question_has_the_answer_of_the_right_one(commands: Session) -> None:
    right, wrong = "where are the arguments of a command", "where are the argumetns of a command"
    answers = [commands.query(query) for query in (right, wrong)]
    assert answers[0].data.items and answers[0].grade == answers[1].grade
    assert [item.id for item in answers[0].data.items] == [item.id for item in answers[1].data.items]


def test_a_word_that_the_code_contains_is_not_misspelt(tmp_path: Path) -> None:
    """Both queries are one letter away from the only name; one of them is a word of the code."""
    (tmp_path / "a.py").write_text("def load_settings():\n    return read(load_setting, 'load the setting')\n")
    tree = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / "home"})
    asked = {word: tree.query(word) for word in ("load_setting", "load_settingss")}
    assert all(answer.data.items and len(tree.corpus.nearest(word)) == 1 for word, answer in asked.items())
    assert asked["load_setting"].data.query == "load_setting" and asked["load_setting"].data.confidence == ""
    assert asked["load_settingss"].data.query == "load_settings" and asked["load_settingss"].data.confidence == "weak"


@pytest.mark.parametrize(
    ("query", "grade"),
    [("HelpFormatter", "strong"), ("Cart.help", "weak"), ("renderHelp", "weak"), ("/help/:page", "weak"),
     ("zzzz qqqq", "none")],
)  # fmt: skip
def test_a_list_is_graded_as_a_pack_is(tree: Session, query: str, grade: str) -> None:
    answers = (tree.query(query), tree.search(query))
    assert [answer.grade.confidence for answer in answers if answer.grade] == [grade, grade]
    assert grade == "strong" or all(any(hint.type != "action" for hint in answer.hints) for answer in answers)
    assert bool(answers[0].data.items) == bool(answers[1].data.hits) == (grade != "none")


def test_an_include_that_no_file_matches_is_named(tree: Session) -> None:
    for ask in (tree.query, tree.search):
        answer = ask("help page", include=["lib/*.py", "*.rs"])
        said = [hint.text for hint in answer.hints if hint.type == "warn"]
        assert [text.partition(". ")[0] for text in said] == [
            "No indexed file matches include lib/*.py",
            "No indexed file matches include *.rs",
        ]
        assert answer.grade is not None and answer.grade.reason == "no file passes the filters"


def test_filters_that_no_file_passes_are_named(tree: Session) -> None:
    for ask in (tree.query, tree.search):
        said = [hint.text.partition(". ")[0] for hint in ask("help page", language=["cobol"]).hints]
        assert "No indexed file passes the filters" in said


def test_an_include_that_matches_files_without_an_answer_is_not_blamed(tree: Session) -> None:
    answer = tree.query("HelpFormatter zebra", include=["src/*.py", "lib/*.py"])
    assert answer.data.items
    assert not any("include" in hint.text for hint in answer.hints)
    nothing = tree.query("zebra", include=["command.py"])
    assert not nothing.data.items and not any("No indexed file" in hint.text for hint in nothing.hints)


def test_a_place_that_does_not_exist_is_not_guessed(tmp_path: Path) -> None:
    """A pack is empty only if nothing has anything in common with the query, and then it states no grade."""
    (tmp_path / "a.py").write_text("def add(left, right):\n    return left + right\n")
    answer = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / "home"}).query("zebra quagga")
    assert answer.data.items == ()
    assert any(hint.text.startswith("Nothing in this repository shares a word") for hint in answer.hints)


@pytest.mark.parametrize(("query", "names"), [("backpressure", ["pause_reading"]), ("backpresxure", [])])
def test_words_that_nothing_has_lead_to_the_names_nearest_in_meaning(
    query: str, names: list[str], tmp_path: Path
) -> None:
    (tmp_path / "flow.py").write_text("def pause_reading(flow, high_water):\n    flow.read_paused = True\n")
    (tmp_path / "flow.md").write_text("# Flow control\n\nReading is paused above the high water mark.\n")
    for other in (
        "cart invoice",
        "colour palette",
        "user password",
        "parcel address",
        "image thumbnail",
        "mail digest",
    ):
        verb, noun = other.split()
        body = "".join(f"def {verb}_{noun}_{number}({verb}):\n    return {verb}.{noun}\n\n\n" for number in range(3))
        (tmp_path / f"{verb}.py").write_text(body)
    answer = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / "home"}).query(query)
    assert answer.data.items == ()
    near = [hint.text.partition("Nearest in meaning: ")[2] for hint in answer.hints]
    assert [text.rstrip(".").partition(",")[0] for text in near if text] == names


@pytest.mark.parametrize("query", ["enter_client_id", "client_key_3", "client key of the cart"])
def test_of_translations_a_pack_shows_those_in_one_language(query: str, tmp_path: Path) -> None:
    for folder in ("src/__locales", "lang"):
        (tmp_path / folder).mkdir(parents=True)
        for language, word in {"ar": "Zeta", "de": "Kunde", "en": "Client", "pt-br": "Cliente"}.items():
            texts = "".join(f'  "client_key_{n}": "{word} {n} of the cart",\n' for n in range(30))
            own = f'{{\n{texts}  "enter_client_id": "{word} id"\n}}\n'
            (tmp_path / folder / f"{language}.json").write_text(own)
    (tmp_path / "form.ts").write_text('export function form(t) {\n    return t("enter_client_id");\n}\n')
    tree = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / ".index"})
    files = [item.file for item in tree.query(query).data.items]
    assert all(len({file for file in files if file.startswith(folder)}) <= 1 for folder in ("src/", "lang/"))
    assert files[0] == "form.ts" or files[0].endswith("/en.json")


def test_names_of_three_letters_are_no_languages(tmp_path: Path) -> None:
    (tmp_path / "locales").mkdir()
    for path, word in {"en/app": "Shipping of the cart", "en/faq": "Why shipping a cart", "de/app": "Versand"}.items():
        (tmp_path / "locales" / path).parent.mkdir(exist_ok=True)
        texts = "".join(f'  "{word[:3]}_{n}": "{word} {n}",\n' for n in range(9))
        (tmp_path / f"locales/{path}.json").write_text(f'{{\n{texts}  "shipping_cart": ""\n}}\n')
    tree = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / ".index"})
    files = {item.file for item in tree.query("shipping of the cart").data.items}
    assert files == {"locales/en/app.json", "locales/en/faq.json"}
