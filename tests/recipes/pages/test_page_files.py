"""Reading a vault from a folder: which files are pages, their content, and errors in them."""

from __future__ import annotations

from pathlib import Path

import pytest
from page_vaults import write_page

from context_pack.kinds.pages.page import links_of, seconds_of
from context_pack.kinds.pages.vault import default_domains, page_path, read_vault, seed_page, vault_root
from contracts.errors import BrokenFile, CtxpackError, InvalidRequest, NotADirectory, NotFound


def test_pages_are_markdown_files_below_wiki_but_no_index(tmp_path: Path) -> None:
    for path in (
        "wiki/a.md",
        "wiki/b/c/d.md",
        "wiki/index.md",
        "wiki/b/index-of-b.md",
        "wiki/a.txt",
        "raw/e.md",
        "f.md",
    ):
        write_page(tmp_path, path, "text")
    assert [page.path for page in read_vault(tmp_path).pages] == ["wiki/a.md", "wiki/b/c/d.md"]


def test_every_field_of_a_page(tmp_path: Path) -> None:
    write_page(
        tmp_path, "wiki/Some-Tool.md", "[[other|x]] and [[Third#part]]", title="Some Tool, a title",
        date_created="2026-01-01", date_modified="2026-01-02", page_type="Concept", domain=["AI", "tools"],
        tags=['"#LLM"', "wiki"], sources=['"[[a-source]]"'], related=["plain"], aliases=["The Tool", "ST"],
    )  # fmt: skip
    [page] = read_vault(tmp_path).pages
    assert (page.slug, page.title, page.title_key) == ("some-tool", "Some Tool, a title", "some tool a title")
    assert (page.modified, page.page_type, page.domains, page.tags) == (
        "2026-01-02", "concept", ("ai", "tools"), ("llm", "wiki"),
    )  # fmt: skip
    assert page.alias_keys == ("st", "the tool")
    assert page.links == ("a-source", "other", "third")


def test_several_tags_may_be_in_one_text(tmp_path: Path) -> None:
    write_page(tmp_path, "wiki/a.md", "x", domain="ai,tools", aliases="Keller, Maria")
    write_page(tmp_path, "wiki/b.md", "x", tags='"#llm, wiki"')
    first, second = read_vault(tmp_path).pages
    assert second.tags == ("llm", "wiki")
    assert (first.domains, first.alias_keys) == (("ai", "tools"), ("keller maria",))
    (tmp_path / "vault.yaml").write_text("default-domains: ai, tools\n")
    assert default_domains(tmp_path) == ("ai", "tools")


def test_a_page_without_frontmatter_or_title_is_called_by_its_slug(tmp_path: Path) -> None:
    write_page(tmp_path, "wiki/week-10.md", "# Week")
    write_page(tmp_path, "wiki/week-11.md", "text", tags=["a"])
    assert [(page.title, page.tags) for page in read_vault(tmp_path).pages] == [("week-10", ()), ("week-11", ("a",))]
    assert read_vault(tmp_path).problems == ()


@pytest.mark.parametrize(
    ("text", "slugs"),
    [
        ("[[a]] [[b|B]] [[c#d]] [[e#f|g]]", ["a", "b", "c", "e"]),
        ("[[A]] [[a]] [[ a ]]", ["a"]),
        ("[[folder/a]] [[../b.md]]", ["a", "b"]),
        (r"| [[a\|text]] |", ["a"]),
        ("![[embedded]]", ["embedded"]),
        ("[[#heading]] [[|x]] [[ ]] [[]] [a](b.md) [[a\nb]]", []),
        ("[[obsidian://open?vault=v&file=a]] [x](obsidian://open?file=b) obsidian://c", []),
        ("[[Ärger]] [[A\u0308rger]]", ["ärger"]),
        ("[[[[a]]]] [[b]] [[c]", ["a", "b"]),
    ],
)
def test_links(text: str, slugs: list[str]) -> None:
    assert list(links_of(text)) == slugs


def test_dates_order_as_moments() -> None:
    written = [
        "1999-12-31", "2026-01-02", "2026-01-02T00:00:01", "2026-1-2 09:30", "2026-01-02T12:00:00+02:00",
        "2026-01-02T10:00:01Z", "2026-01-02 08:00:02-02:00", "2026-02-01",
    ]  # fmt: skip
    moments = [seconds_of(text) for text in written]
    assert None not in moments
    assert moments == sorted(set(moments), key=lambda moment: moment or 0)
    assert seconds_of("2026-01-02") == seconds_of("2026-01-02T00:00Z") == seconds_of("2026-01-02T02:00:00.123+0200")


@pytest.mark.parametrize("text", ["", "someday", "2026", "2026-13-01", "2026-02-30", "2026-01-01T25:00", "2026-01-01x"])
def test_text_that_is_not_a_date(text: str) -> None:
    assert seconds_of(text) is None


def test_faults_are_named_with_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "wiki").mkdir()
    (tmp_path / "wiki/a.md").write_text("---\ntitle: a\ntags: [x\n---\nbody [[b]]\n")
    (tmp_path / "wiki/b.md").write_text("---\ntitle: b\n")
    (tmp_path / "wiki/c.md").write_text("---\ntitle: [c]\ndate-modified: soon\ntags: {a: b}\n---\n")
    (tmp_path / "wiki/d.md").write_bytes(b"---\ntitle: d\n---\nbody\n\xff\n")
    vault = read_vault(tmp_path)
    assert [page.path for page in vault.pages] == ["wiki/a.md", "wiki/b.md", "wiki/c.md", "wiki/d.md"]
    assert [str(problem) for problem in vault.problems] == [
        "wiki/a.md:4: not YAML: did not find expected ',' or ']' (the page has no title, tags or domains)",
        "wiki/b.md:1: the frontmatter has no closing --- (the page has no title, tags or domains)",
        "wiki/c.md:2: title takes one value",
        "wiki/c.md:3: date-modified is not a date: 'soon'",
        "wiki/c.md:4: tags takes a list of names",
        "wiki/d.md:5: not valid UTF-8: invalid bytes count as U+FFFD",
    ]
    assert vault.pages[0].links == ("b",)


def test_a_link_without_quotes_is_accepted(tmp_path: Path) -> None:
    """YAML reads `- [[slug]]` as a nested list, but its author meant a link."""
    (tmp_path / "wiki").mkdir()
    (tmp_path / "wiki/a.md").write_text("---\ntags:\n  - [[b]]\n  - c\nrelated: [[[d]], [[e]]]\n---\n")
    vault = read_vault(tmp_path)
    assert (vault.problems, vault.pages[0].tags, vault.pages[0].links) == ((), ("c",), ("b", "d", "e"))


def test_lists_that_contain_themselves_or_each_other_cost_nothing(tmp_path: Path) -> None:
    (tmp_path / "wiki").mkdir()
    (tmp_path / "wiki/a.md").write_text("---\ntags: &a [*a, x]\n---\n")
    twice = "".join(f"l{number}: &l{number} [*l{number - 1}, *l{number - 1}]\n" for number in range(1, 60))
    (tmp_path / "wiki/b.md").write_text(f"---\nl0: &l0 [x]\n{twice}tags: [*l59, y]\n---\n")
    assert [page.tags for page in read_vault(tmp_path).pages] == [("x",), ("y",)]


def test_two_pages_of_one_slug_are_reported_if_a_page_links_to_it(tmp_path: Path) -> None:
    for name in ("_index", "same"):
        write_page(tmp_path, f"wiki/b/{name}.md", "x")
    for name in ("_index", "Same"):
        write_page(tmp_path, f"wiki/a/{name}.md", "x")
    assert read_vault(tmp_path).problems == ()
    write_page(tmp_path, "wiki/c.md", "[[Same]]")
    assert [str(problem) for problem in read_vault(tmp_path).problems] == [
        "wiki/b/same.md: [[same]] may also mean wiki/a/Same.md: links count for both"
    ]


@pytest.mark.parametrize(
    ("text", "domains"),
    [
        ("default-domains: [AI, tools]\n", ("ai", "tools")),
        ("default-domains:\n  - tools\nother: 1\n", ("tools",)),
        ("default-domains: tools\n", ("tools",)),
        ("default-domains:\n", ()),
        ("other: x\n", ()),
        ("", ()),
    ],
)
def test_default_domains(tmp_path: Path, text: str, domains: tuple[str, ...]) -> None:
    (tmp_path / "wiki").mkdir()
    (tmp_path / "vault.yaml").write_text(text)
    assert read_vault(tmp_path).default_domains == domains


def test_without_vault_yaml_there_are_no_default_domains(tmp_path: Path) -> None:
    (tmp_path / "wiki").mkdir()
    assert read_vault(tmp_path).default_domains == ()


@pytest.mark.parametrize(("text", "line"), [("a: b\ndefault-domains: [x\n", 3), ("a: b\ndefault-domains: {x: y}\n", 2)])
def test_a_broken_vault_yaml_is_an_error_with_its_line(tmp_path: Path, text: str, line: int) -> None:
    (tmp_path / "wiki").mkdir()
    (tmp_path / "vault.yaml").write_text(text)
    with pytest.raises(BrokenFile) as caught:
        read_vault(tmp_path)
    assert (caught.value.details["file"], caught.value.details["line"]) == ("vault.yaml", line)


def test_a_vault_is_a_folder_with_a_wiki(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "notes/wiki/deep").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "notes/wiki/deep")
    assert vault_root(None) == tmp_path / "notes"
    assert vault_root(str(tmp_path / "notes")) == tmp_path / "notes"
    for other in (str(tmp_path), str(tmp_path / "missing"), "a\0b"):
        with pytest.raises(NotADirectory):
            vault_root(other)


def test_a_page_may_be_named_from_the_vault_its_wiki_or_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_page(tmp_path, "vault/wiki/a/b.md", "x")
    write_page(tmp_path, "vault/drafts/c.md", "x")
    write_page(tmp_path, "outside.md", "x")
    vault = tmp_path / "vault"
    monkeypatch.chdir(tmp_path)
    for named in ("wiki/a/b.md", "a/b.md", "vault/wiki/a/b.md", "wiki/./a/../a/b.md", str(vault / "wiki/a/b.md")):
        assert page_path(vault, named, "page") == "wiki/a/b.md"
    assert page_path(vault, "drafts/c.md", "page") == "drafts/c.md"
    for named in ("wiki/gone.md", "wiki/a"):
        with pytest.raises(NotFound):
            page_path(vault, named, "page")
    for named in ("outside.md", "../outside.md", "", "a\0b"):
        with pytest.raises(InvalidRequest):
            page_path(vault, named, "page")


def test_a_link_out_of_the_vault_is_not_read(tmp_path: Path) -> None:
    write_page(tmp_path, "secret.md", "x", title="secret")
    write_page(tmp_path, "vault/wiki/a.md", "x")
    (tmp_path / "vault/wiki/b.md").symlink_to(tmp_path / "secret.md")
    vault = read_vault(tmp_path / "vault")
    assert [page.path for page in vault.pages] == ["wiki/a.md"]
    with pytest.raises(CtxpackError):
        seed_page(vault, "wiki/b.md")


def test_a_seed_page_whose_frontmatter_is_broken_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "wiki").mkdir()
    (tmp_path / "wiki/a.md").write_text("---\ntitle: a\ntags: [x\n---\n")
    with pytest.raises(BrokenFile) as caught:
        seed_page(read_vault(tmp_path), "wiki/a.md")
    assert caught.value.details == {"field": "page", "file": "wiki/a.md", "line": 4}
