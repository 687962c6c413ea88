"""What an issue asks: its text without the form that it was written in, without versions and courtesies."""

from __future__ import annotations

import re
from collections.abc import Iterator

from index.text import STOP_WORDS

# A line of nothing but these is a heading of a form: `### Steps to reproduce`, `**Expected behavior**`, `Versions:`.
_FORM = frozenset(
    "a about actual additional alternatives and any are as backtrace been behavior behaviour browser bug can "
    "checklist code considered context current currently describe described description desired details device "
    "did do docs environment error errors exact exactly example expect expected feature happen happened happening "
    "happens have how i if in info information instead is issue issues it kind language link list log logs "
    "machine minimal motivation note notes observed of on operating or os other output package platform please "
    "possible prerequisites problem proposal proposed provide question related relevant repro reproduce "
    "reproducer reproducible reproduction request result results run sample screenshot screenshots see setup "
    "should solution step steps suggested summary system technical template test the there this to trace "
    "traceback used using version versions was what when which with workaround would you your".split()
)
# What stands behind or below these says where it happened.
_SURROUNDINGS = frozenset(
    "arch binary browser checklist commit date device environment hash host js machine meta node nodejs npm os "
    "pip pkg platform python release screenshot screenshots setup system version versions yarn".split()
)
# Sentences of nothing but these say that there is a report, not what is in it.
_COURTESY = (
    STOP_WORDS
    | _FORM
    | _SURROUNDINGS
    | frozenset(
        "above advance after again already always am anybody anything app application appreciated below best both "
        "check checked cheers click command confirm confirmed create created dear disabled doc documentation "
        "documented documents don't edit else everyone existing file fine following found full getting great guys "
        "happy hello help hey hi hope idea ideas install installed it's know last later latest lib library linux "
        "looked lot love mac machines main many missing more much n/a new newer newest nice none nothing now occur "
        "occurs old older one only open opened page patch people pr program project read readme really regards "
        "reported reporting running script search searched seem seems similar simple simply since something sorry "
        "start started sure thank thanks thing things think tia tool tried try trying turned two update updated "
        "upgrade upgraded upgrading use useful user very way week weeks welcome well windows work working works wrong "
        "yes".split()
    )
)
_CODE = re.compile(r"[=;{}\[\]<>]")
_BESIDE = re.compile(  # what is not shown, a commit, an item of a checklist, a picture
    r"<!--(?:(?!<!--)[\s\S])*?-->|</?(?:details|summary|br|p)\b[^<>]*>|\([0-9a-f]{7,40}\b[^()\n]{0,80}\)"
    r"|^[ \t]*[-*] *\[[ xX]\].*$|!\[[^\]\n]{0,200}\]\([^()\n]{0,200}\)",
    re.M,
)
_LABELLED = re.compile(
    r"(?:^[ \t>*-]*|(?<=[.?!]\s))(?:\*\*)?(?:environment|operating system|os|platform|browser|[\w.+-]{0,40} ?version)"
    r"\b[^:\n]{0,40}(?:\*\*)?:.*$|^[ \t]*output of .*$|^[ \t`$>]*[\w./-]{1,40} --?version\b[ \w-]{0,40}[`:]*$",
    re.I | re.M,
)
_VERSION = re.compile(  # with the name before it, but for `HTTP 1.1.1`
    r"(?:(?!(?:https?|tls|ssl|oauth|soap|utf|ipv?)\b)\b[\w+-]{1,40} )?"
    r"\b[\w/]{0,40}?v?\d{1,8}\.\d{1,8}\.\d{1,8}(?:[\w.+-]{0,40}\w)?(?: (?:on|for) \w+/\w+)?",
    re.I,
)
_SYSTEM = re.compile(
    r"\b(?:ubuntu|debian|fedora|centos|alpine|linux|macos|(?:mac )?os x|windows(?:_nt)?|ios|android|python|ruby"
    r"|node(?:\.?js)?|java|jdk|php|rustc|elixir|otp|chrome|firefox|safari|edge)(?: version)? v?\d+(?:\.\d+)*\b",
    re.I,
)
_SENTENCE = re.compile(r"(?<=[^\s.][.!?])\s+")
_WORD = re.compile(r"[\w'/]+")


def question_of(text: str) -> str:
    """The text without headings of a form, what is below those about the surroundings, versions and courtesies.

    Empty where there is nothing else.
    """
    is_form = "\n" in text
    if not is_form and _SENTENCE.search(text) is None:
        return text  # one sentence: a version in it is what it is about
    text = _LABELLED.sub("", _BESIDE.sub("", text))
    if is_form:
        text = _VERSION.sub("it", _SYSTEM.sub("it", text))
    return "\n".join(_said(text)).strip()


def _said(text: str) -> Iterator[str]:
    """The lines that say something, of what is below a heading about the surroundings none."""
    beside = False
    for line in text.split("\n"):
        words, label = _words(line), _words(line.partition(":")[0])
        if not words:
            yield line
        elif _is_only(_FORM | _SURROUNDINGS if line.startswith("#") else _FORM, line):
            beside = not _SURROUNDINGS.isdisjoint(words)
        elif line.lstrip().startswith("#"):
            beside = False
            yield line
        elif not beside and (_SURROUNDINGS.isdisjoint(label) or not _COURTESY.issuperset(label)):
            yield " ".join(sentence for sentence in _SENTENCE.split(line) if not _is_only(_COURTESY, sentence))


def _is_only(words: frozenset[str], text: str) -> bool:
    return _CODE.search(text) is None and words.issuperset(_words(text))


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text) if not word.isdigit()]
