"""Texts that only look like a secret."""

from __future__ import annotations

from benchmarks.research.secret_corpus.values import (
    BASE64,
    EACH,
    HEX,
    WORDS,
    Case,
    random_string,
)

# Texts that look like a secret and are none: `{...}` as in forms.py, and `{i}` a number, `{n}` a name, `{g}` a hash of
# git, `{u}` a UUID, `{d}` 64 hexadecimal digits, `{k}` 86 characters of base 64.
LOOK_ALIKES: tuple[tuple[str, str], ...] = (
    ("a.lock", "sha256:{d}\n"),
    ("package-lock.json", '"integrity": "sha512-{k}=="\n'),
    ("a.py", 'password = os.environ["{N}_PASSWORD"]\n'),
    ("a.yml", "password: ${{N}_PASSWORD}\n"),
    ("a.ts", 'const id = "{u}";\n'),
    ("a.ts", "function set{C}Password(password: string, token?: {C}Token) {}\n"),
    ("a.json", '{"password": "{C} password", "forgot_password": "Forgot your {n} password?"}\n'),
    ("a.md", "The token of {n} is sent in the header; the password must have at least {i}0 characters.\n"),
    ("a.py", "max_tokens = {i}096\ntoken_type = '{n}_token'\n"),
    ("a.go", 'const Test{C}StreamKeepAlive64BitEnable{i} = "Test{C}StreamKeepAlive64BitEnable{i}"\n'),
    ("a.yml", "secret: changeme\napi_key: your-{n}-api-key-here\n"),
    ("a.sh", "docker login -u ada -p $" + "{{N}_TOKEN}\nsshpass -p \"$PASS{i}\" ssh ada@host\n"),
    ("a.sh", "mkdir -p build/{n}/{i} && docker run -p 80{i}0:80 {n}\nmysql -u ada -p {n}_db{i} < {n}.sql\n"),
    ("a.ts", 'import { use{C}Token } from "@app/{n}/use-{n}-token-{i}";\n'),
    ("a.pub", "ssh-rsa {k}{k}{k} ada@example.org\n"),
    ("a.pem", "-----BEGIN CERTIFICATE-----\n{k}\n-----END CERTIFICATE-----\n"),
    ("a.css", ".{n}-password-field-{i} { background: url(data:image/png;base64,{k}{k}) }\n"),
    ("a.rs", "const {N}_KEY: &str = \"{n}.settings.key\";\nlet token: &str = next_token(&tokens);\n"),
    ("a.h", "#define {N}_PASSWORD_MAX {i}28\n#define TOKEN_{N} \"{n}\"\n"),
    ("a.cpp", 'std::string password(const std::string& {n}{i});\nauto secret = read_secret("{n}");\n'),
    ("A.scala", "val token: Token = tokens.next()\nval key: String = \"{n}.id\"\n"),
    ("a.http", "X-Api-Key: {{{n}_api_key}}\nX-Request-Id: {u}\n"),
    ("a.md", "Set `X-Api-Key: <your key>` and `Authorization: Bearer <{n} token>`, line {i}.\n"),
    ("a.py", 'COMMIT = "{g}"\nALPHABET_{i} = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"\n'),
    ("a.md", "Passphrase: words of your own choice\nMnemonic: eight {n} trees of a forest\nssh -p 22{i}2 ada@{n}\n"),
    ("a.md", "See https://example.org/{n}/{g}/a_b-C{i}?token_type=x and http://user:password@localhost/.\n"),
    ("a.json", '{"{n}Passphrase": "Enter the passphrase of your {n} key", "secretHint": "It is on page {i}"}\n'),
    ("a.txt", "10.0.0.{i}:8080:{n}:up:ok\n/home/{n}/.pgpass:12:5:1:3\n"),
    ("a.java", "@Value(\"${{n}.password:}\") String password;\nsetPassword({n}.getPassword({i}));\n"),
    ("a.sql", "CREATE USER {n} WITH PASSWORD NULL;\nSELECT password, token FROM users WHERE id = {i};\n"),
)  # fmt: skip


def look_alikes() -> list[Case]:
    """Ten of each of 30 kinds, each with other names, numbers and digests."""
    cases = []
    for kind, (path, form) in enumerate(LOOK_ALIKES):
        for number in range(EACH):
            seed, name = f"plain/{kind}/{number}", WORDS[(kind + 3 * number) % len(WORDS)]
            digits = random_string(seed, 64, HEX)
            marks = {
                "{g}": digits[:40],
                "{d}": digits,
                "{u}": "-".join(digits[a:b] for a, b in ((0, 8), (8, 12), (12, 16), (16, 20), (20, 32))),
                "{k}": random_string(seed, 86, BASE64),
                "{n}": name,
                "{N}": name.upper(),
                "{C}": name.capitalize(),
                "{i}": str(number),
            }
            text = form
            for mark, value in marks.items():
                text = text.replace(mark, value)
            cases.append(Case(f"look-alike {kind}", path, text))
    return cases
