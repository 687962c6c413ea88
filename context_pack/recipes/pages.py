"""The page pack: the pages of a vault that a reader should know before they write or answer, with their points.

`score` and `pack` are pure functions of a vault, a seed and the searcher's hits; `answer` reads and calls them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from context_pack.answer import Answer
from context_pack.core.candidate import Candidate
from context_pack.core.order import ordered
from context_pack.core.tail import Limit, drop_tail
from context_pack.corpora.vault.pages import Page
from context_pack.corpora.vault.reading import Vault, page_path, read_vault, seed_page, vault_root
from context_pack.corpora.vault.words import words
from context_pack.recipes.page_points import MAX_PAGES, MIN_SCORE, POINTS, TITLE_OVERLAP, TOP_HITS
from context_pack.recipes.page_search import SEARCHERS, PageSearcher, searcher
from context_pack.recipes.page_seed import Request, Signals, signals
from context_pack.redaction import Redactor
from context_pack.stages import Stages
from contracts.errors import InvalidRequest, NotFound
from contracts.pages import DroppedPage, PageCounts, PagePack, PageRow, PageSeed
from contracts.records import Hint, Why

MAX_PROBLEMS = 20  # files named in the hints of one pack; the rest are counted


@dataclass(frozen=True, slots=True)
class PageOptions:
    limit: int = MAX_PAGES
    min_score: int = MIN_SCORE
    explain: bool = False
    no_redact: bool = False


@dataclass(frozen=True, slots=True)
class Hits:
    """What a searcher found, best first; `provider` is None without one."""

    paths: tuple[str, ...] = ()
    searcher: str = "none"
    provider: str | None = None
    hints: tuple[Hint, ...] = ()


def score(vault: Vault, seed: Signals, request: Request, hits: Hits) -> tuple[Candidate[Page], ...]:
    """Every page with points, best first; then the latest, then by path. The seed page never appears."""
    scoring = _Scoring(vault, seed, hits)
    left_out = excluded(request)
    candidates = []
    for page in scoring.touched(vault.pages):
        why = scoring.why(page)
        if why and page.path not in left_out:
            candidates.append(Candidate(page.path, page, sum(part.points for part in why), tuple(why)))
    return ordered(candidates, _place)


def excluded(request: Request) -> frozenset[str]:
    """The paths that never appear."""
    return request.exclude | ({request.page.path} if request.page else frozenset())


def _place(candidate: Candidate[Page]) -> tuple[float, bool, int, str]:
    """Best first; then by date, the latest first and missing ones last; then by path."""
    modified_s = candidate.item.modified_s
    return (-candidate.points, modified_s is None, -(modified_s or 0), candidate.id)


class _Scoring:
    def __init__(self, vault: Vault, seed: Signals, hits: Hits) -> None:
        self._seed = seed
        self._tags = frozenset(seed.tags)
        self._domains = frozenset((*seed.named_domains, *seed.default_domains))
        self._entities = frozenset(seed.entities)
        self._linked_from = _linked_from(vault.pages, self._entities)
        self._title = frozenset(words(seed.title))
        self._ranks = {path: rank for rank, path in enumerate(hits.paths, start=1)}
        self._searcher = hits.searcher

    def touched(self, pages: Sequence[Page]) -> list[Page]:
        """The pages that may have points: in a large vault most have none, and that is told fast."""
        no_tag, no_domain = self._tags.isdisjoint, self._domains.isdisjoint
        no_entity, no_word = self._entities.isdisjoint, self._title.isdisjoint
        linked, ranks, kind = self._linked_from, self._ranks, self._seed.page_type or None
        return [
            page
            for page in pages
            if not (no_tag(page.tags) and no_domain(page.domains) and no_entity(page.links))
            or page.slug in linked
            or page.page_type == kind
            or page.path in ranks
            or not no_word(page.title_key.split())
        ]

    def why(self, page: Page) -> list[Why]:
        """Each signal with its points, in the order of the score table."""
        found: list[Why] = []
        if not self._tags.isdisjoint(page.tags):
            found += [_part("shared_tag", 1.0, tag) for tag in page.tags if tag in self._tags]
        if not self._domains.isdisjoint(page.domains):
            found += self._shared_domains(page)
        if not self._entities.isdisjoint(page.links):
            to = [slug for slug in page.links if slug in self._entities and slug != page.slug]
            found += [_part("link_to", 1.0, slug) for slug in to]
        found += [_part("link_from", 1.0, slug) for slug in self._linked_from.get(page.slug, ())]
        if page.page_type and page.page_type == self._seed.page_type:
            found.append(_part("same_page_type", 1.0, page.page_type))
        if page.path in self._ranks:
            rank = self._ranks[page.path]
            found.append(_part("searcher_hit", float(rank), f"{self._searcher} top-{rank}"))
        overlap = jaccard(self._title, page.title_key.split())
        if overlap >= TITLE_OVERLAP:
            found.append(_part("title_overlap", round(overlap, 4), ""))
        return found

    def _shared_domains(self, page: Page) -> list[Why]:
        shared = [domain for domain in page.domains if domain in self._domains]
        defaults = self._seed.default_domains
        return [_part("default_domain" if domain in defaults else "shared_domain", 1.0, domain) for domain in shared]


def jaccard(one: frozenset[str], other: Sequence[str]) -> float:
    """The words that two titles share, among all of theirs; 0 for titles without words."""
    if one.isdisjoint(other):
        return 0.0
    second = frozenset(other)
    shared = len(one & second)
    return shared / (len(one) + len(second) - shared)


def _part(name: str, signal: float, detail: str) -> Why:
    return Why(name, signal, POINTS[name], detail)


def _linked_from(pages: Sequence[Page], entities: frozenset[str]) -> dict[str, list[str]]:
    """Slug -> the named entities whose pages link to it, sorted, each once."""
    found: dict[str, set[str]] = {}
    for page in pages:
        if page.slug in entities:
            for slug in page.links:
                if slug != page.slug:
                    found.setdefault(slug, set()).add(page.slug)
    return {slug: sorted(sources) for slug, sources in found.items()}


def baseline_only(why: Sequence[Why]) -> bool:
    """Whether a page's only points are default domains of the vault."""
    return all(part.name == "default_domain" for part in why)


def pack(vault: Vault, seed: Signals, request: Request, hits: Hits, options: PageOptions) -> PagePack:
    """The best pages, at most `limit`, none below `min_score`."""
    candidates = score(vault, seed, request, hits)
    enough = sum(candidate.points >= options.min_score for candidate in candidates)
    limits = (
        Limit("min_score", lambda count: count <= enough),
        Limit("limit", lambda count: count <= options.limit),
    )
    tail = drop_tail(candidates, limits)
    rows = tuple(_row(candidate) for candidate in tail.kept)
    told = tail.dropped if options.explain else ()
    left_out = [DroppedPage(c.id, int(c.points), limit, c.why) for c, limit in told]
    counts = PageCounts(len(vault.pages), len(candidates), len(candidates) - enough, enough - len(rows))
    return PagePack(
        seed=PageSeed(
            text=request.text,
            title=seed.title,
            tags=seed.tags,
            domains=seed.named_domains,
            default_domains=seed.default_domains,
            entities=seed.entities,
            page=request.page.path if request.page else None,
            page_type=seed.page_type or None,
        ),
        searcher=hits.searcher,
        provider=hits.provider,
        limit=options.limit,
        min_score=options.min_score,
        counts=counts,
        pages=rows,
        left_out=tuple(left_out),
    )


def _row(candidate: Candidate[Page]) -> PageRow:
    page = candidate.item
    return PageRow(
        path=page.path,
        title=page.title,
        score=int(candidate.points),
        baseline_only=baseline_only(candidate.why),
        page_type=page.page_type or None,
        modified=page.modified or None,
        why=candidate.why,
    )


def search(vault: Vault, seed: Signals, request: Request, name: str, finder: PageSearcher | None) -> Hits:
    """The first pages that the searcher finds among those that may appear."""
    left_out = excluded(request)
    allowed = {page.path for page in vault.pages if page.path not in left_out}
    if finder is None:
        return Hits()
    if not allowed:
        return Hits((), name)
    found = finder.top(seed.text, TOP_HITS, allowed.__contains__)
    return Hits(tuple(found), name, finder.provider, finder.hints())


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as the command line or a library call names it: texts, before the vault is there."""

    text: str = ""
    page: str | None = None
    title: str | None = None
    tags: tuple[str, ...] | None = None
    entities: tuple[str, ...] | None = None
    exclude: tuple[str, ...] = ()
    searcher: str = "hybrid"


def answer(asked: Asked, vault: str | Path | None, options: PageOptions) -> Answer[PagePack]:
    """The pack for a seed; what is wrong with the vault is among its hints."""
    _check(asked, options)
    stages = Stages()
    root = vault_root(vault)
    with stages.stage("read"):
        read = read_vault(root)
    excludes = [_exclude(root, named) for named in asked.exclude]
    request = Request(
        text=asked.text.strip(),
        title=asked.title,
        tags=asked.tags,
        entities=asked.entities,
        page=seed_page(read, asked.page) if asked.page is not None else None,
        exclude=frozenset(path for path, _ in excludes),
    )
    with stages.stage("infer"):
        seed = signals(read, request)
    with stages.stage("search"):
        hits = search(read, seed, request, asked.searcher, searcher(asked.searcher, read))
    with stages.stage("score"):
        packed = pack(read, seed, request, hits, options)
    redactor = Redactor(not options.no_redact)
    packed = redactor.record(packed)
    warnings = tuple(Hint("warn", warning) for _, warning in excludes if warning)
    return Answer(packed, (*warnings, *hits.hints, *_hints(read, packed)), stages.durations_ms(), redactor.account)


def _exclude(root: Path, named: str) -> tuple[str, str]:
    """A path that must not appear, and a warning when there is no such file: it cannot appear anyway."""
    try:
        return page_path(root, named, "exclude"), ""
    except (InvalidRequest, NotFound) as error:
        return named, f"--exclude: {error.message}"


def _check(asked: Asked, options: PageOptions) -> None:
    if asked.page is not None and (asked.title, asked.tags, asked.entities) != (None, None, None):
        raise InvalidRequest("page", "a page is a seed by itself: leave out title, tags and entities")
    if not asked.text.strip() and asked.page is None and not (asked.title or "").strip():
        raise InvalidRequest("seed", "the seed is empty", hint="give a question, a title or a page")
    if asked.searcher not in SEARCHERS:
        raise InvalidRequest("searcher", f"there is no searcher {asked.searcher!r}; there are {', '.join(SEARCHERS)}")
    for name, value, least in (("limit", options.limit, 1), ("min_score", options.min_score, 0)):
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise InvalidRequest(name, f"{name} must be a whole number from {least}, not {value!r}")


def _hints(vault: Vault, packed: PagePack) -> tuple[Hint, ...]:
    hints = [Hint("warn", str(problem)) for problem in vault.problems[:MAX_PROBLEMS]]
    more = len(vault.problems) - len(hints)
    if more > 0:
        hints.append(Hint("warn", f"{more} more problems in the vault"))
    if vault.unsaved:
        hints.append(Hint("info", f"the pages will be read anew next time: {vault.unsaved}"))
    if not vault.pages:
        hints.append(Hint("info", f"the vault has no pages: there is no *.md in {vault.root.name}/wiki"))
    elif not packed.pages:
        hints.append(Hint("info", f"no page has {packed.min_score} points: nothing to read first, or try --min-score"))
    if packed.counts.over_limit:
        hints.append(Hint("action", f"{packed.counts.over_limit} more pages have enough points: raise --limit"))
    return tuple(hints)
