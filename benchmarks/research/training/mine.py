"""Mine training pairs from git mirrors: one .npz per repository, and the list of the repositories.

    python -m benchmarks.research.training.mine MIRRORS DEST --listed LIST.json

The list names the repositories that may be used, with their licences: `[{"repo", "license", "language"}]`.

Pairs (question -> code):
    doc  a comment's first sentence -> its definition
    mod  the comment about a file -> a window of it
    fil  the words of a file's name -> a window of it
    com  a commit's subject -> a hunk as it was before the commit
    inn  a comment inside code -> the lines after it
    tst  the title of a test -> its body
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import numpy as np

from benchmarks.research.training.comments import doc_pairs, inner_comments, module_sentence, titled_tests
from benchmarks.research.training.mirrors import LANGUAGES, Mirror, code_files, find_mirrors, hunks
from index.text import MAX_WORD_CHARS, content_terms, parts_of, stem, terms_of_text, words_of

KINDS = ("doc", "mod", "fil", "com", "inn", "tst")
CAPS = {"doc": 9000, "mod": 1500, "fil": 3000, "com": 4000, "inn": 2500, "tst": 1500}
MAX_COMMITS = 3000
HUNKS_A_COMMIT = 2
WINDOW_LINES = 20
MIN_CODE_CHARS = 60
MAX_CODE_CHARS = 3000
_PLAIN_NAMES = frozenset("index main mod lib init __init__ test tests util utils types common helpers setup".split())
_NO_SUBJECT = re.compile(
    r"^(merge|revert|bump|release|version|v?\d|wip|typo|fix typo|update dep|chore|changelog|lint|format|rustfmt|gofmt|"
    r"clippy|cleanup|prepare|auto|apply|address review|nit)\b|dependabot", re.IGNORECASE,
)  # fmt: skip
_PREFIX = re.compile(
    r"^(\w+(\([^)]*\))?!?:|\[[^]]*\])\s*|\s*\(?(close[sd]?|fix(e[sd])?|refs?)?:?\s*#\d+\)?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Pair:
    kind: str
    question: str
    code: str
    path: str


def pairs_of(mirror: Mirror) -> Iterator[Pair]:
    """All pairs of a repository, before caps and duplicates."""
    dice = random.Random(crc32(mirror.slug.encode()))
    for path, text in code_files(mirror):
        style = LANGUAGES[Path(path).suffix]
        for pair in doc_pairs(text, style):
            yield Pair("doc", pair.sentence, pair.code, path)
        for pair in inner_comments(text, style):
            yield Pair("inn", pair.sentence, pair.code, path)
        for pair in titled_tests(text, style):
            yield Pair("tst", pair.sentence, pair.code, path)
        lines = [line for line in text.split("\n") if line.strip()]
        if about := module_sentence(text, style):
            yield Pair("mod", about, _window(lines, dice), path)
        name = Path(path).stem.split(".")[0]
        if name.lower() not in _PLAIN_NAMES and len(lines) >= 10:
            yield Pair("fil", " ".join(parts_of(name)), _window(lines, dice), path)
    yield from _commit_pairs(mirror)


def _commit_pairs(mirror: Mirror) -> Iterator[Pair]:
    seen: Counter[str] = Counter()
    for hunk in hunks(mirror, MAX_COMMITS):
        subject = _PREFIX.sub("", hunk.subject).strip()
        if _NO_SUBJECT.search(hunk.subject) or len(subject.split()) < 3:
            continue
        seen[subject] += 1
        if seen[subject] <= HUNKS_A_COMMIT and len(hunk.text) >= 2 * MIN_CODE_CHARS:
            yield Pair("com", subject, hunk.text, hunk.path)


def _window(lines: list[str], dice: random.Random) -> str:
    start = dice.randrange(max(1, len(lines) - WINDOW_LINES + 1))
    return "\n".join(lines[start : start + WINDOW_LINES])


def sample_pairs(pairs: Iterator[Pair], seed: int) -> list[Pair]:
    """The pairs without duplicates, at most CAPS per kind (a random sample, in order)."""
    seen: set[tuple[str, str]] = set()
    pairs_of_kind: dict[str, list[Pair]] = {kind: [] for kind in KINDS}
    for pair in pairs:
        code = pair.code[:MAX_CODE_CHARS]
        keys = {("question", pair.question.lower()), ("code", re.sub(r"\s+", "", code)[:200])}
        if len(code) < MIN_CODE_CHARS or (pair.kind == "doc" and keys & seen):
            continue
        seen |= keys if pair.kind == "doc" else set()
        pairs_of_kind[pair.kind].append(Pair(pair.kind, pair.question, code, pair.path))
    dice = random.Random(seed)
    result = []
    for kind, candidates in pairs_of_kind.items():
        numbers = sorted(dice.sample(range(len(candidates)), min(CAPS[kind], len(candidates))))
        result += [candidates[number] for number in numbers]
    return result


def _csr(rows: Sequence[Sequence[int]]) -> tuple[np.ndarray, np.ndarray]:
    indptr = np.zeros(len(rows) + 1, np.int64)
    np.cumsum([len(row) for row in rows], out=indptr[1:])
    return indptr, np.array([value for row in rows for value in row], np.int32)


def save(pairs: list[Pair], dest: Path) -> None:
    """Write pairs as term ids over a vocabulary of their own, with each term's commonest unstemmed form."""
    numbers: dict[str, int] = {}
    files: dict[str, int] = {}
    words: Counter[str] = Counter()

    def number(terms: Sequence[str]) -> list[int]:
        return [numbers.setdefault(term, len(numbers)) for term in terms]

    questions, bodies, counts, folders, names = [], [], [], [], []
    for pair in pairs:
        tf = Counter(terms_of_text(pair.code))
        questions.append(number(content_terms(words_of(pair.question))))
        bodies.append(number(list(tf)))
        counts.append(list(tf.values()))
        folder, _, name = pair.path.rpartition("/")
        folders.append(number(list(dict.fromkeys(terms_of_text(folder)))))
        names.append(number(list(dict.fromkeys(terms_of_text(name.split(".")[0] or name)))))
        files.setdefault(pair.path, len(files))
        words.update({*words_of(pair.code), *words_of(pair.question)})
    written = _written_forms(words)
    forms = [
        max(written[term].items(), key=lambda item: (item[1], item[0]))[0] if term in written else term
        for term in numbers
    ]
    arrays: dict[str, np.ndarray] = {
        "kind": np.array([KINDS.index(pair.kind) for pair in pairs], np.int8),
        "place": np.array([files[pair.path] for pair in pairs], np.int32),
        "question_text": np.array([crc32(pair.question.encode()) for pair in pairs], np.int64),
        "terms": np.array(list(numbers), dtype=np.str_),
        "forms": np.array(forms, dtype=np.str_),
    }
    for name, rows in (("question", questions), ("body", bodies), ("folder", folders), ("name", names)):
        arrays[f"{name}_indptr"], arrays[f"{name}_ids"] = _csr(rows)
    arrays["body_tf"] = _csr(counts)[1]
    np.savez_compressed(dest, **arrays)


def _written_forms(words: Counter[str]) -> dict[str, Counter[str]]:
    """The spellings of each term with their counts: a stem's words, a joined identifier's parts."""
    written: dict[str, Counter[str]] = {}
    for word, count in words.items():
        if len(word) > MAX_WORD_CHARS:
            continue
        parts = parts_of(word)
        for part in parts:
            written.setdefault(stem(part), Counter())[part] += count
        if len(parts) > 1:
            written.setdefault("".join(parts), Counter())[" ".join(parts)] += count
    return written


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mirrors", type=Path)
    parser.add_argument("dest", type=Path)
    parser.add_argument("--listed", type=Path, required=True)
    args = parser.parse_args()
    entries = {row["repo"]: row for row in json.loads(args.listed.read_text())}
    args.dest.mkdir(parents=True, exist_ok=True)
    list_file = args.dest / "repositories.json"
    repositories = json.loads(list_file.read_text()) if list_file.is_file() else {}
    for mirror in find_mirrors(args.mirrors):
        target = args.dest / f"{mirror.slug.replace('/', '+')}.npz"
        if target.is_file() or mirror.slug not in entries:
            continue
        pairs = sample_pairs(pairs_of(mirror), crc32(mirror.slug.encode()))
        save(pairs, target)
        by_kind = Counter(pair.kind for pair in pairs)
        about = {name: entries[mirror.slug][name] for name in ("language", "license")}
        repositories[mirror.slug] = {"commit": mirror.commit, **about, **{kind: by_kind[kind] for kind in KINDS}}
        list_file.write_text(json.dumps(repositories, indent=1, sort_keys=True) + "\n")
        print(mirror.slug, dict(by_kind), flush=True)


if __name__ == "__main__":
    main()
