"""Reduces a pasted issue to what it asks: headings of its form, versions and courtesies are removed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from contracts.lazy_regex import lazy_regex
from contracts.rows import rows
from index.text import REQUESTS, STOP_WORDS

# The words of a report; `report_words.tsv` explains each list.
_REPORT = {name: frozenset(words.split()) for name, words in rows(__file__, "report_words.tsv")}
_FORM, _ENVIRONMENT = _REPORT["form"], _REPORT["environment"]
_COURTESY = STOP_WORDS.union(*_REPORT.values())
_CODE = lazy_regex(r"[=;{}\[\]<>]")
_SAMPLE = lazy_regex(r"^[ \t>]{0,9}(```|~~~)[^`\n]*\n[\s\S]*?(?:^[ \t>]{0,9}\1[ \t]*$|\Z)", re.M)  # code between fences
# A first paragraph that is no title addresses the reader (`You are an engineer`), points at the rest or begins code.
_NO_TITLE = lazy_regex(
    r"\A(?:(?:act|dear|hello|hey|hi|please|you)\b|//|/\*|#!|```|~~~|\"\"\"|(?-i:import|require)\b|(?-i:package|module|use)\s\S+\Z"
    r"|(?-i:from\s\S+\simport|(?:const|let|var|local)\s[^=]+=)\s)|\b(?:below|following|these|this)\b(?!\.\w|->)",
    re.I,
)
# The end of an announcement: `Fix this issue:`, `Which code is about the issue below?`
_ANNOUNCEMENT = lazy_regex(
    r":\Z|\bbelow[.?!]?\Z|\b(?:following|this)(?: \S+){0,3} (?:bug|issue|problem|report|task|ticket)[.?!]?"
    r"(?=\Z|\s(?-i:[A-Z]))",
    re.I,
)
# The title and the rest; without an empty line between them, the rest begins with a sentence, not with the end of one.
_TITLE = lazy_regex(r"(\S[^\n]*)(?:\n(?:[ \t]*\n|(?=[^\na-z \t][^\n]*[.?!:)]$|[A-Z][^\n]{99}))([\s\S]*))?\Z", re.M)
_TASK = lazy_regex(r"^[ \t*#]*(?=[A-Z])(?i:goal|issue|problem|question|task|title)\b[ #\d*]*:[ *]*(\S.*)$", re.M)
SECTION_HEADING = lazy_regex(r"^[ \t]*##+ .*\n(?=\s*[^#\s])", re.M)  # above text: `## Describe the bug`
# Words that say something: with fewer, code is the question itself, and a line no title, no task and no question.
_OWN_WORDS, _TITLE_WORDS = 4, 2
_HIDDEN = lazy_regex(  # comments and tags of HTML, commits, items of a checklist, images, links
    r"<!--(?:(?!<!--)[\s\S])*?-->|</?(?:details|summary|br|p|issue\w*|task)\b[^<>]*>|\([0-9a-f]{7,40}\b[^()\n]{0,80}\)"
    r"|^[ \t]*[-*] *\[[ xX]\].*$|!\[[^\]\n]{0,200}\]\([^()\n]{0,200}\)|\bhttps?://(?!localhost|[\w.-]+:)[^\s<>()\"'`]+",
    re.M,
)
_LABELLED = lazy_regex(
    r"(?:^[ \t>*-]*|(?<=[.?!]\s))(?:\*\*)?(?:environment|operating system|os|platform|browser|[\w.+-]{0,40} ?version)"
    r"\b[^:\n]{0,40}(?:\*\*)?:.*$|^[ \t]*output of .*$|^[ \t`$>]*[\w./-]{1,40} --?version\b[ \w-]{0,40}[`:]*$",
    re.I | re.M,
)
_VERSION = lazy_regex(  # with the name before it, except that of a protocol: `HTTP 1.1.1`
    r"(?:(?!(?:https?|tls|ssl|oauth|soap|utf|ipv?)\b)\b[\w+-]{1,40} )?"
    r"\b[\w/]{0,40}?v?\d{1,8}\.\d{1,8}\.\d{1,8}(?:[\w.+-]{0,40}\w)?(?: (?:on|for) \w+/\w+)?",
    re.I,
)
_SYSTEM = lazy_regex(
    r"\b(?:ubuntu|debian|fedora|centos|alpine|linux|macos|(?:mac )?os x|windows(?:_nt)?|ios|android|python|ruby"
    r"|node(?:\.?js)?|java|jdk|php|rustc|elixir|otp|chrome|firefox|safari|edge)(?: version)? v?\d+(?:\.\d+)*\b",
    re.I,
)
SENTENCE = lazy_regex(r"(?<=[^\s.][.!?])\s+")
_WORD = lazy_regex(r"[\w'/]+")


def question_of(text: str) -> str:
    """The text without headings of a form, sections about the environment, versions and courtesies.

    Empty if nothing else is left.
    """
    is_form = "\n" in text
    if not is_form and SENTENCE.search(text) is None:
        return text  # a version in a single sentence is what it is about
    without = _SAMPLE.sub("", text)
    if _says(without, _OWN_WORDS) and not _NO_TITLE.search(_body(text).partition("\n\n")[0]):
        text = without
    text = _LABELLED.sub("", _HIDDEN.sub("", text))
    if is_form:
        text = _VERSION.sub("it", _SYSTEM.sub("it", text))
    return "\n".join(_report_lines(text)).strip()


def _body(text: str) -> str:
    """The text behind a first line or paragraph that only announces it: `Fix this issue:`."""
    (first, _, rest), (line, _, others) = text.partition("\n\n"), text.partition("\n")
    if _ANNOUNCEMENT.search(first) or not _says(first, _TITLE_WORDS):
        return rest.lstrip("\n") or text
    return others if line.endswith(":") or (line.startswith("#") and not _says(line, _TITLE_WORDS)) else text


def title_of(text: str) -> str:
    """The first line of a report if it is no sentence of a letter and no instruction, and what the rest asks; of other
    texts, what is labelled as their task."""
    report = _body(text)
    head, rest = match.groups("") if (match := _TITLE.match(report)) else ("", report)
    task, sentence_ends = _TASK.match(head), ",:;" if report is not text else ".,:;"
    title = task[1] if task else head
    is_title = (task or head[-1:] not in sentence_ends) and _says(title, _TITLE_WORDS) and not _NO_TITLE.search(title)
    questions = (line for line in _questions(rest, is_report=bool(is_title)) if _says(line, _TITLE_WORDS))
    return "\n".join((title, *questions) if is_title else questions)


def _questions(text: str, *, is_report: bool) -> Iterator[str]:
    """The tasks of a text and, if there are any or it is a report, its questions and a request at its beginning."""
    tasks = _TASK.findall(text)
    yield from tasks
    lines = [sentence.rpartition("\n")[2] for sentence in SENTENCE.split(text)] if is_report or tasks else []
    for line in lines:
        is_request = line is lines[0] and line.partition(" ")[0].lower() in REQUESTS - {"i", "please", "we"}
        if not _TASK.match(line) and not line.startswith("#") and (is_request or line.endswith("?")):
            yield line


def _report_lines(text: str) -> Iterator[str]:
    """The lines that say something, without those below a heading about the environment."""
    in_environment = False
    for line in text.split("\n"):
        words, label = _words(line), _words(line.partition(":")[0])
        if not words:
            yield line
        elif _is_only(_FORM | _ENVIRONMENT if line.startswith("#") else _FORM, line):
            in_environment = not _ENVIRONMENT.isdisjoint(words)
        elif line.lstrip().startswith("#"):
            in_environment = False
            yield line
        elif not in_environment and (_ENVIRONMENT.isdisjoint(label) or not _COURTESY.issuperset(label)):
            yield _without_courtesies(line)


def _without_courtesies(line: str) -> str:
    """The line without courtesies at its start and end; between others, such a sentence is part of a message."""
    sentences = SENTENCE.split(line)
    own = [at for at, sentence in enumerate(sentences) if not _is_only(_COURTESY, sentence)]
    return " ".join(sentences[own[0] : own[-1] + 1]) if own else ""


def _says(text: str, least: int) -> bool:
    """Whether a text has so many words other than courtesies and those of forms."""
    return sum(word not in _COURTESY for word in _words(text)) >= least


def _is_only(words: frozenset[str], text: str) -> bool:
    return _CODE.search(text) is None and words.issuperset(_words(text))


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text) if not word.isdigit()]
