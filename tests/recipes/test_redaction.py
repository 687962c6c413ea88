"""No secret gets through, lines keep their numbers, and code without secrets does not change."""

from __future__ import annotations

import random
import re
import string
from pathlib import Path

import pytest
from detect_secrets.core.scan import scan_line
from detect_secrets.settings import transient_settings
from hypothesis import given, settings
from hypothesis import strategies as st
from planted_secrets import Planted, planted, private_key
from recipe_shell import ctxpack

from context_pack.mcp.text import failure
from context_pack.options.spec import FORMATS
from context_pack.redaction import Redactor, redact
from context_pack.redaction.redactor import READ_CHARS
from contracts.errors import MAX_CHARS, NotFound
from tests.clock import within

pytestmark = pytest.mark.slow

SECRETS = planted("one")
# The oracle's detectors, without those for entropy and keywords: they flag every long word, and we test them here.
ORACLES = (
    "ArtifactoryDetector AWSKeyDetector AzureStorageKeyDetector BasicAuthDetector DiscordBotTokenDetector"
    " GitHubTokenDetector GitLabTokenDetector JwtTokenDetector MailchimpDetector NpmDetector OpenAIDetector"
    " PrivateKeyDetector PypiTokenDetector SendGridDetector SlackDetector SquareOAuthDetector StripeDetector"
    " TelegramBotTokenDetector TwilioKeyDetector"
).split()


def test_there_are_enough_kinds() -> None:
    assert len({kind for secret in SECRETS for kind in secret.kinds}) >= 20
    assert len(SECRETS) >= 50


@pytest.mark.parametrize("secret", SECRETS, ids=[secret.name for secret in SECRETS])
@pytest.mark.parametrize("path", ["settings.yml", "notes.txt", ""])
def test_a_secret_is_replaced_by_its_kind_and_counted(secret: Planted, path: str) -> None:
    text = f"first line\n{secret.text}\nlast line\n"
    redacted = redact(text, path)
    assert secret.secret not in redacted.text
    assert secret.kinds & set(redacted.counts), redacted
    assert redacted.text.startswith("first line\n")
    assert redacted.text.endswith("\nlast line\n")
    assert redacted.text.count("\n") == text.count("\n")
    assert sum(redacted.counts.values()) == len(re.findall(r"\[REDACTED:[a-z_]+\]", redacted.text))


@pytest.mark.parametrize("secret", SECRETS, ids=[secret.name for secret in SECRETS])
@pytest.mark.parametrize("path", ["main.py", "app.ts", "Main.java"])
@pytest.mark.parametrize("form", ["{}", "    // {}", "# {}"])
def test_a_secret_in_code_or_its_comments_is_found(secret: Planted, path: str, form: str) -> None:
    lines = "".join(form.replace("{}", line) + "\n" for line in secret.text.split("\n"))
    assert secret.secret not in redact(f"x = 1\n{lines}y = 2\n", path).text


@pytest.mark.parametrize("secret", [s for s in SECRETS if "private_key" not in s.kinds], ids=lambda s: str(s.name))
def test_a_secret_inside_a_json_string_or_a_diff_is_found(secret: Planted) -> None:
    logged = '{"log": "line one\\n' + secret.text.replace('"', '\\"') + '\\nline three"}'
    assert secret.secret not in redact(logged).text
    diff = "".join(f"+{line}\n" for line in secret.text.split("\n"))
    assert secret.secret not in redact(diff).text


@pytest.mark.parametrize("form", ["{}", "+{}", "    {}", "> {}", '"{}\\n"', "# {}"])
def test_a_private_key_keeps_its_lines_however_it_is_quoted(form: str) -> None:
    key = private_key("quoted", lines=9)
    text = "before\n" + "".join(form.replace("{}", line) + "\n" for line in key.split("\n")) + "after\n"
    redacted = redact(text)
    assert redacted.counts == {"private_key": 1}
    assert not any(line in redacted.text for line in key.split("\n")[1:-1])
    assert redacted.text.count("\n") == text.count("\n")
    assert redacted.text.split("\n")[-2] == "after"


def test_a_private_key_that_was_cut_off_is_found_from_either_side() -> None:
    lines = private_key("cut", lines=8).split("\n")
    head, tail = "\n".join(lines[:6]), "\n".join(lines[4:])
    for text in (f"a\n{head}\n", f"{tail}\nz\n", f"a\n{head}\nplain words follow\n", f"plain words\n{tail}\n"):
        redacted = redact(text)
        assert redacted.counts == {"private_key": 1}, text
        assert not any(line in redacted.text for line in lines[1:-1])
        assert redacted.text.count("\n") == text.count("\n")
        assert "plain words" in redacted.text or "plain words" not in text


@pytest.mark.parametrize(
    ("path", "before", "secret", "after"),
    [
        (".env", "DB_PASSWORD=", "swordfish", "\n"),
        (".env.production", "PGPASSWORD=", "swordfish", ""),
        ("app.ini", "password = ", "swordfish", "\n"),
        ("app.yml", "  password: ", "swordfish", "\n"),
        ("app.yml", "  - name: DB_PASSWORD\n    value: ", "abc12345xyz", "\n"),
        ("app.yml", '  - name: DB_PASSWORD\n    value: "', "abc12345xyz", '"\n'),
        ("app.py", 'password = "', "SuperSecret!", '"'),
        ("app.py", 'password = "', "carrot#soup", '"'),
        ("app.py", 'secret = {"', "abc123def456x", '": "anna"}'),
        ("app.yml", 'run: echo "::set-output name=db_password::', "abc12345xyz", '"\n'),
        ("app.py", 'client_secret = "', "zxcvbnmasdfghjklqwertyuiop", '"'),
        ("a.md", "Authorization: Bearer ", "abcdefghijklmnopqrstuvwxyz", "\n"),
        ("a.py", 'headers = ["Authorization: Bearer ', "SuperSecretTokenHere", '"]\n'),
        ("a.sh", "curl -s -u ada:", "s3cr3tpw", " https://example.org"),
        ("a.sh", 'curl --user "ada:', "s3cr3tpw", '" https://example.org'),
        ("a.md", "    mysql -uroot -p", "S3cretPw9", " shop"),
    ],
)
def test_words_are_secrets_only_in_places_for_secrets(path: str, before: str, secret: str, after: str) -> None:
    clean = redact(before + secret + after, path)
    assert sum(clean.counts.values()) == 1
    assert re.fullmatch(re.escape(before) + r"\[REDACTED:\w+\]" + re.escape(after), clean.text)


def test_markers_without_a_key_are_left_alone() -> None:
    code = 'BEGIN = "-----BEGIN RSA PRIVATE' + ' KEY-----"\nEND = "-----END RSA PRIVATE' + ' KEY-----"\n'
    assert redact(code, "pem.py").text == code


PLAIN = [
    ("a.py", "def login(password: str, token: str | None = None) -> Token:\n    return self.token(password)\n"),
    ("a.py", 'password = os.environ["DB_PASSWORD"]\nsecret_key = settings.SECRET_KEY\n'),
    ("a.py", 'parser.add_argument("--password", help="the password to use")\n'),
    ("a.py", "token = next(tokens)\npassword=password, api_key=api_key2)\n"),
    ("a.ts", 'const input = { type: "password", autocomplete: "current-password" };\n'),
    ("a.ts", "interface Login { password: string; apiKey?: string }\n"),
    ("a.yml", "password: ${DB_PASSWORD}\ntoken: <your-token>\napi_key: {{ api_key }}\nsecret: changeme\n"),
    (".env", "PASSWORD=\nTOKEN=$TOKEN\nSECRET=your-secret-here\nAPI_KEY=xxxxxxxxxxxx\n"),
    ("a.md", "The token is sent in the header. Secret: none. Your password: *required*.\n"),
    ("a.md", "See https://example.org/a/b-c_d?token_type=x and http://user:password@localhost/.\n"),
    ("a.json", '{"integrity": "sha512-' + "A1b2" * 21 + 'Aw==", "resolved": "https://registry.example.org/a.tgz"}\n'),
    ("a.py", "DIGEST = '" + "0123456789abcdef" * 4 + "'\nCOMMIT = '" + "a1" * 20 + "'\n"),
    ("a.py", f'ALPHABET = "{string.ascii_uppercase}{string.ascii_lowercase}{string.digits}"\n'),
    ("a.json", '{"1000_autoReadGetAndSet": 3,\n "1000_autoReadGetAndSet_sync": 0}\n'),
    ("a.cs", 'name: "Hdr10PlusPresentFlag",\n[Migration("20260113233000_AddForeignKeyToOwnerId")]\n'),
    ("a.cs", 'new Header("Bearer", settings.ApiKey);\nhas("Authorization", Mock.equalTo("Bearer x"));\n'),
    ("routes.rb", 'get "/forgot_password" => "login#forgot_password"\n'),
    (
        "a.py",
        "extra = {'password': {'write_only': True}}\nneeds = [('auth', '0012_alter_user_first_name_max_length')]\n",
    ),
    ("a.cpp", "const QList<QUuid> KeePass2::CIPHERS{KeePass2::CIPHER_AES256};\n"),
    ("a.go", 'h.Set("Access-Control-Allow-Headers", "X-Auth-Token, Authorization, Content-Type, Accept")\n'),
    ("a.toml", 'features = ["Win32_Security_Authorization", "Win32_Storage_FileSystem"]\n'),
    ("a.fa", "ACCATGATACTTCTGGTTAATCAAAGGGCTTCAAAGACTCACACCTATACTAAATTTGTT\n"),
    ("a.py", 'PRIMER = "ACCATGATACTTCTGGTTAATCAA"\n'),
    ("a.go", 'name: "TestHTTP2ServerStreamKeepAlive64BitEnable"\nkey := "user.profile.settings.v2.primary"\n'),
]


@pytest.mark.parametrize(("path", "text"), PLAIN)
def test_text_about_secrets_is_left_alone(path: str, text: str) -> None:
    assert redact(text, path).text == text


def test_installed_packages_come_out_as_they_are() -> None:
    """At most one hit in half a megabyte of real code, on text that looks like a key even to a person."""
    packages = Path(pytest.__file__).parents[1]
    files = [file for name in ("click", "hypothesis", "pytest", "_pytest") for file in (packages / name).rglob("*.py")]
    size, hits = 0, 0
    for file in files:
        text = file.read_text("utf-8")
        size += len(text)
        hits += sum(redact(text, str(file)).counts.values())
    assert size > 3_000_000
    assert hits <= size / 500_000


@pytest.mark.parametrize("secret", SECRETS, ids=[secret.name for secret in SECRETS])
def test_the_oracle_finds_nothing_more(secret: Planted) -> None:
    text = redact(f"{secret.text}\n").text
    with transient_settings({"plugins_used": [{"name": name} for name in ORACLES]}):
        left = [found for line in text.split("\n") for found in scan_line(line)]
    assert not [found.type for found in left if "REDACTED" not in str(found.secret_value)]


def test_the_oracle_knows_these_secrets() -> None:
    """The oracle finds most of the planted secrets; comparing with a blind oracle would prove nothing."""
    with transient_settings({"plugins_used": [{"name": name} for name in ORACLES]}):
        seen = {s.name for s in SECRETS if any(found for line in s.text.split("\n") for found in scan_line(line))}
    assert len(seen) >= 15


lines = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=60), max_size=6)


@settings(max_examples=150, deadline=None)
@given(before=lines, after=lines, seed=st.integers(0, 10_000), picks=st.lists(st.integers(0, 1000), max_size=4))
def test_no_text_around_a_secret_lets_it_through(
    before: list[str], after: list[str], seed: int, picks: list[int]
) -> None:
    # Random strings are found statistically, and have their own test; all others must be found every time.
    secrets = [secret for secret in planted(str(seed)) if secret.name != "random string"]
    chosen = [secrets[pick % len(secrets)] for pick in picks]
    text = "\n".join([*before, *(secret.text for secret in chosen), *after])
    redacted = redact(text)
    assert not [secret.name for secret in chosen if secret.secret in redacted.text]
    assert redacted.text.count("\n") == text.count("\n")
    assert redact(redacted.text).text == redacted.text


def test_nearly_every_random_string_is_found_and_no_plain_name() -> None:
    source = random.Random(7)
    keys = ["".join(source.choices(string.ascii_letters + string.digits + "+/", k=44)) for _ in range(500)]
    found = sum(key not in redact(f'UPLOAD_SALT = "{key}"\n', "a.py").text for key in keys)
    assert found >= 0.95 * len(keys)
    names = [f"{a}{b}{c}2Handler" for a in ("Get", "Http") for b in ("User", "Stream") for c in ("ById", "Requests")]
    assert not [name for name in names if redact(f'NAME = "{name}"\n', "a.py").counts]


@settings(max_examples=200, deadline=None)
@given(st.text())
def test_any_text_at_all_is_taken(text: str) -> None:
    redacted = redact(text)
    assert redacted.text.count("\n") == text.count("\n")
    assert bool(redacted.counts) == (redacted.text != text)


def test_data_is_redacted_under_telling_keys_and_in_texts() -> None:
    redactor = Redactor()
    word = "hunter" + "2" * 3
    key = "gh" + "p_" + "a1B2" * 9
    data = {"password": word, "list": [f"use {key}", 7, None], "note": "nothing", "nested": {"apiKey": "k" + "9a" * 12}}
    clean = redactor.data(data, "request")
    assert clean == {
        "password": "[REDACTED:password]",
        "list": ["use [REDACTED:github_token]", 7, None],
        "note": "nothing",
        "nested": {"apiKey": "[REDACTED:api_key]"},
    }
    assert redactor.counts == {"api_key": 1, "github_token": 1, "password": 1}
    assert redactor.places == {"request": redactor.counts}
    assert redactor.data(clean, "again") == clean
    assert "again" not in redactor.places


def test_the_middle_of_a_key_is_found_in_a_piece_of_a_file() -> None:
    lines = private_key("piece", lines=20).split("\n")
    piece = "\n".join(lines[5:12]) + "\n"
    assert redact(piece).text == piece  # a whole file of base64 may be anything
    redacted = redact(piece, piece=True)
    assert redacted.counts == {"key_material": 1}
    assert not [line for line in lines if line in redacted.text]
    assert redacted.text.count("\n") == piece.count("\n")
    public = "-----BEGIN PUBLIC KEY-----\n" + piece + "-----END PUBLIC KEY-----\n"
    assert redact(public, piece=True).text == public
    digests = "".join(f'    "{number:064x}",\n' for number in range(9))
    assert redact(digests, "lock.py", piece=True).text == digests


KEY = "gh" + "p_" + "a1B2" * 9
PARTS = [KEY[start : start + 8] for start in range(4, 12)]  # what a part of the key that is not found would show


@pytest.mark.parametrize("more", [900, 60_000], ids=["read whole", "of which the ends are read"])
def test_a_message_that_is_shortened_shows_no_part_of_a_secret_at_the_cut(more: int) -> None:
    for shift in range(MAX_CHARS // 2 - 60, MAX_CHARS // 2 + 10, 7):
        text = ("x " * shift)[-shift:] + KEY + " y " * more + KEY + (" z" * shift)[:shift]
        error = Redactor().clean(NotFound(text))
        assert len(error.message) <= MAX_CHARS + 5
        assert not [part for part in PARTS if part in error.message or part in str(error)]


def test_a_secret_at_the_end_of_what_is_read_of_a_message_is_not_shown_either() -> None:
    long = private_key("long", lines=(READ_CHARS - 1_000) // 65) + "\n"  # what replaces it is short
    for cut in range(1, len(KEY), 5):
        start = long + " " * (READ_CHARS - len(long) - cut) + KEY
        end = KEY + " " * (READ_CHARS - len(long) - cut) + long
        error = Redactor().clean(NotFound(start + " y " * READ_CHARS + end))
        assert not [part for part in PARTS if part in error.message]


@pytest.mark.parametrize("text", ["password = hunter2 ", "KEY=\n", f"{KEY} ", "a"])
def test_a_message_of_megabytes_is_shortened_fast(text: str) -> None:
    with within(10):
        error = Redactor().clean(NotFound(text * (10_000_000 // len(text))))
    assert len(error.message) <= MAX_CHARS + 5


def test_no_failure_shows_a_part_of_a_secret(tmp_path: Path) -> None:
    ctxpack("init", "graph", tmp_path)
    node = next((tmp_path / ".mdkg/work").rglob("task-2*.md"))
    runs = [
        ctxpack("query", "x", "--repo", tmp_path, "--depth", "x " * 470 + KEY),
        ctxpack("query", "--repo", tmp_path, "--diff", "a" * 60 + " " + KEY),
        ctxpack("query", "x", "--repo", "https://a/" + "b/" * 80 + "?key=" + KEY),
    ]
    said = [run.out.decode() for run in runs] + [runs[0].err]
    said += failure(NotFound("x " * 470 + KEY + " y" * 900), "context_pack", {"query": KEY})["texts"]
    shown = len(said)
    for shift in range(20, 57, 4):
        node.write_text(f"---\n{'x' * shift} {KEY}\n---\n", "utf-8")
        said.append(ctxpack("graph", "task-2", "--root", tmp_path).out.decode())
    assert not [text for text in said if any(part in text for part in PARTS)]
    assert all("REDACTED" in text for text in said[:shown])


@pytest.mark.parametrize("form", FORMATS)
def test_no_secret_in_a_code_pack_or_in_hits(tmp_path: Path, form: str) -> None:
    secrets = [secret for secret in SECRETS if "\n" not in secret.text]
    for number, secret in enumerate(secrets):
        (tmp_path / f"s{number}.txt").write_text(f"deploy settings number {number}\n{secret.text}\n", "utf-8")
    (tmp_path / "key.txt").write_text(f"deploy settings of the key\n{private_key('whole', lines=60)}\n", "utf-8")
    asked = ("deploy settings", "--repo", tmp_path)
    printed = [
        ctxpack("query", *asked, "--max-chars", 200_000, "--limit", 300, "--format", form).out.decode(),
        ctxpack("search", *asked, "--top-k", 300, "--content").out.decode(),
    ]
    assert all("REDACTED" in output for output in printed)
    lines = private_key("whole", lines=60).split("\n")[1:-1]
    hidden = [secret.secret for secret in secrets] + lines
    assert not [one for one in hidden if any(one in output for output in printed)]


def test_no_secret_in_a_graph_pack(tmp_path: Path) -> None:
    ctxpack("init", "graph", tmp_path)
    node = next((tmp_path / ".mdkg/work").rglob("task-2*.md"))
    node.write_text(node.read_text("utf-8") + "\n".join(secret.text for secret in SECRETS), "utf-8")
    for form in ("md", "json", "xml", "toon"):
        printed = ctxpack("graph", "task-2", "--root", tmp_path, "--format", form).out.decode()
        assert "REDACTED" in printed
        assert not [secret.name for secret in SECRETS if secret.secret in printed]


def test_every_pack_command_redacts_unless_told_otherwise(tmp_path: Path) -> None:
    secret = next(one for one in SECRETS if one.name.startswith("github"))
    for kind in ("graph", "wiki", "task", "turn"):
        ctxpack("init", kind, tmp_path / kind)
    node = next((tmp_path / "graph/.mdkg/work").rglob("task-2*.md"))
    node.write_text(node.read_text("utf-8") + secret.text, "utf-8")
    plan = tmp_path / "turn/docs/PLAN.md"
    plan.write_text(f"{plan.read_text('utf-8')}\n{secret.text}\n", "utf-8")
    code = tmp_path / "task/src/auth/middleware.ts"
    code.write_text(f"{code.read_text('utf-8')}\n// {secret.text}\n", "utf-8")
    (tmp_path / "code").mkdir()
    (tmp_path / "code/settings.txt").write_text(f"deploy settings\n{secret.text}\n", "utf-8")
    asked = [
        ("query", "deploy settings", "--repo", tmp_path / "code"),
        ("graph", "task-2", "--root", tmp_path / "graph", "--format", "json"),
        ("task", "T02", "--root", tmp_path / "task"),
        ("turn", tmp_path / "turn/request.json", "--root", tmp_path / "turn"),
        ("pages", f"a starter {secret.text}", "--vault", tmp_path / "wiki", "--searcher", "none", "--format", "json"),
    ]
    for command in asked:
        counted, shown = ctxpack(*command), ctxpack(*command, "--no-redact")
        assert secret.secret not in counted.out.decode(), command
        assert counted.envelope["meta"]["redactions"]["total"] >= 1, command
        assert secret.secret in shown.out.decode(), command
        assert "redactions" not in shown.envelope["meta"], command


@pytest.mark.parametrize(
    "text",
    ["a", "A", "1", "://", "://a:", "password=", 'password="', "-----BEGIN PRIVATE" + " KEY-----\n", "eyJ",
     "AKIA", "eyJhbGciOiJIUzI1NiJ9.",
     "-us1", "-----END PRIVATE" + " KEY-----\n", "-----BEGIN PRIVATE" + " KEY-----QUJD", "password: x y ",
     ("QUJD" * 16 + "\n"), "token ", "Authorization: Basic ", ("a" * 25 + "."), ("1" * 25 + ":AA"), "api_key\n",
     "docker login -p ", "sshpass -p a1b2c3 ", "echo a | ", "echo 'a1b2c3' | sudo ", "a:5432:b:c:", "*:*:*:a:b1c2d3:",
     "htpasswd -b a b ", "kinit <<< ", "identified by ", "IDENTIFIED BY 'a1' ", "passphrase: a b c ", "token: !!str ",
     "password by lazy {", "password[1] = ", "password || ", "**password:** ", "LS0tLS1CRUdJTiBQUklWQVRF", "set -x ",
     "Credential('a', ", "password = x or ", "password { type ", "curl -u a:", "net use /user:a ",
     "<password>", "--password ", "login a password ", "PuTTY-User-Key-File-2\n", "\n", "="],
)  # fmt: skip
def test_no_text_takes_more_than_linear_time(text: str) -> None:
    with within(10):
        redact(text * (200_000 // len(text)), piece=True)
