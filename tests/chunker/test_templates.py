"""Named templates of Go templates, which no grammar reads."""

from __future__ import annotations

from chunker.api import chunk_file
from tests.clock import within

HELPERS = """\
{{/*
The name of the shop: {{ define "none" }}.
*/}}
{{- define "shop.name" -}}
{{- if .Values.name }}{{ range .Values.names }}{{ . }}{{ end }}{{ else }}shop{{ end }}
{{- end -}}

{{ define "shop.labels" }}
app: {{ include "shop.name" . }}
{{ end }}
{{ template "shop.labels" . }}
"""


def test_named_templates_are_symbols_with_their_comments() -> None:
    file = chunk_file(HELPERS.encode(), "templates/_helpers.tpl")
    rows = [(one.name, one.kind, one.line, one.start_line, one.end_line) for one in file.definitions]
    assert rows == [("shop.name", "function", 4, 1, 6), ("shop.labels", "function", 8, 8, 10)]
    assert [(chunk.start_line, chunk.end_line, chunk.symbol) for chunk in file.chunks] == [
        (1, 6, "shop.name"), (8, 10, "shop.labels"), (11, 11, None)
    ]  # fmt: skip


def test_a_template_without_end_ends_with_its_file() -> None:
    file = chunk_file(b'{{ end }}\n{{ define "a" }}\n{{ if x }}\ntext\n', "a.tmpl")
    assert [(one.name, one.start_line, one.end_line) for one in file.definitions] == [("a", 2, 4)]
    assert [chunk.kind for chunk in chunk_file(b"plain text\n", "a.tmpl").chunks] == ["block"]


def test_named_templates_on_one_line_are_beside_each_other() -> None:
    file = chunk_file(b'{{ define "a" }}x{{ end }}{{ define "b" }}y{{ end }}\n', "a.tmpl")
    assert [one.qualified for one in file.definitions] == ["a", "b"]


def test_hostile_templates_take_no_time() -> None:
    nested = ["".join(f'{{{{ {word} "name{at}" }}}}\n' for at in range(20_000)) for word in ("define", "block")]
    comments = "".join(f"{{{{/* {at}\n" for at in range(20_000))  # nothing closes them
    for text in ("{{" * 200_000, "{{/*" * 100_000, comments, f"{comments}*/", '{{ define "' * 50_000, *nested):
        with within(20):
            chunk_file(text.encode(), "a.tpl")
