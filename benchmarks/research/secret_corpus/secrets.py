"""Ten secrets of each of 30 kinds."""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable

from benchmarks.research.secret_corpus.values import (
    ALNUM,
    BASE64,
    ENCRYPTED_HEADER,
    HEX,
    PGP_HEADER,
    UPPER,
    WORD,
    Case,
    private_key,
    random_string,
)

# Ten places where a token may stand; `%` is the token.
PLACES = (
    ("app/client.py", 'API_TOKEN = "%"\n'),
    ("web/client.ts", "const client = create({ auth: '%' });\n"),
    ("deploy/values.yaml", "upload:\n  credentials: %\n"),
    (".env", "UPLOAD_CREDENTIALS=%\n"),
    ("config.json", '{"upload": {"value": "%", "retries": 3}}\n'),
    ("README.md", "Log in with `%` and upload the file.\n"),
    ("deploy.sh", "export UPLOAD_VALUE=%\n./upload --now\n"),
    ("upload.go", "var uploadValue = `%`\n"),
    ("server.log", "2026-01-02 03:04:05 INFO upload with % took 3 ms\n"),
    ("lib/upload.rb", "# formerly %\nupload(file)\n"),
)


def _jwt(seed: str) -> str:
    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    head, body = part({"alg": "HS256", "typ": "JWT"}), part({"sub": seed, "iat": 1516239022})
    return f"{head}.{body}.{random_string(seed, 43, WORD)}"


def _tokens() -> dict[str, Callable[[str], str]]:
    """kind -> a token of it for a seed: the kinds that have a form of their own."""
    r = random_string
    return {
        "aws access key": lambda s: "AKIA" + r(s, 16, UPPER),
        "gcp api key": lambda s: "AI" + "za" + r(s, 35, WORD),
        "azure client secret": lambda s: r(s + "a", 3) + "8Q~" + r(s, 34),
        "github token": lambda s: "gh" + random.Random(s).choice("pousr") + "_" + r(s, 36),
        "gitlab token": lambda s: "gl" + "pat-" + r(s, 20, WORD),
        "slack token": lambda s: "xo" + "xb-" + r(s, 12, string.digits) + "-" + r(s + "b", 24),
        "slack webhook": lambda s: "https://hooks.slack" + ".com/services/T" + r(s, 8) + "/B" + r(s + "b", 8) + "/"
        + r(s + "c", 24),
        "discord token": lambda s: "MT" + r(s, 22) + "." + r(s + "b", 6) + "." + r(s + "c", 38),
        "telegram token": lambda s: r(s, 9, "123456789") + ":A" + "A" + r(s + "b", 33, WORD),
        "stripe key": lambda s: "sk_" + "live_" + r(s, 24),
        "npm token": lambda s: "np" + "m_" + r(s, 36),
        "pypi token": lambda s: "py" + "pi-AgEIcHlwaS5vcmc" + r(s, 70, WORD),
        "openai key": lambda s: "s" + "k-proj-" + r(s, 60, WORD),
        "anthropic key": lambda s: "s" + "k-ant-api03-" + r(s, 80, WORD),
        "hugging face token": lambda s: "h" + "f_" + r(s, 34, string.ascii_letters),
        "twilio key": lambda s: "S" + "K" + r(s, 32, HEX),
        "sendgrid key": lambda s: "S" + "G." + r(s, 22, WORD) + "." + r(s + "b", 43, WORD),
        "digitalocean token": lambda s: "do" + "p_v1_" + r(s, 64, HEX),
        "jwt": _jwt,
    }  # fmt: skip


KEY_PLACES = (
    ("id_rsa", "%\n"),
    ("keys/server.pem", "# the server's\n%\n"),
    ("settings.py", 'KEY = """%"""\n'),
    ("server.go", "const key = `%`\n"),
    ("service.json", '{"key": "^", "id": 7}\n'),
    (".env", 'SIGNING="^"\n'),
    ("values.yaml", "tls:\n  pem: |\n    >\n"),
    ("README.md", "Use this one:\n\n```\n%\n```\n"),
    ("change.diff", "+++ b/id_rsa\n+\n+>\n"),
    ("key.ts", "const pem = '^';\n"),
)  # fmt: skip


def _private_keys(kind: str, label: str, header: str = "", block: str = "") -> list[Case]:
    """Marks for the key: `%` as it is, `^` on one line with escapes, `>` with the text before it on every line."""
    cases = []
    for number, (path, place) in enumerate(KEY_PLACES):
        key = private_key(f"{kind}{number}", label, header=header, block=block)
        margin = place.partition(">")[0].rpartition("\n")[2]
        text = place.replace("^", key.replace("\n", "\\n")).replace("%", key)
        text = text.replace(">", key.replace("\n", f"\n{margin}")) if "PRIVATE" not in text else text
        cases.append(Case(kind, path, text, key.split("\n")[-3]))
    return cases


def _assignments() -> dict[str, tuple[str, str, tuple[tuple[str, str], ...]]]:
    """kind -> (alphabet, length, places): secrets that a variable's name or a command reveals."""
    return {
        "aws secret key": (BASE64, "40", (
            ("credentials", "[default]\naws_secret_access_key = %\n"),
            ("a.py", 'AWS_SECRET_ACCESS_KEY = "%"\n'),
            ("a.ts", "secretAccessKey: '%',\n"),
            (".env", "AWS_SECRET_ACCESS_KEY=%\n"),
            ("main.tf", '  secret_key = "%"\n'),
            ("a.yml", "aws_secret_key: %\n"),
            ("a.json", '{"SecretAccessKey": "%"}\n'),
            ("a.md", "export AWS_SECRET_ACCESS_KEY=%\n"),
            ("a.sh", "aws configure set aws_secret_access_key %\n"),
            ("A.java", 'String secretKey = "%";\n'))),
        "azure storage key": (BASE64, "86", tuple(
            (path, text.replace("%", "AccountName=a;Account" + "Key=%==;EndpointSuffix=core.windows.net"))
            for path, text in PLACES)),
        "password": (ALNUM + "!#", "12", (
            ("a.py", 'password = "%"\n'),
            ("a.yml", "db_password: %\n"),
            (".env", "DB_PASSWORD=%\n"),
            ("a.json", '{"password": "%"}\n'),
            ("a.ini", "passwd = %\n"),
            ("A.java", 'private String password = "%";\n'),
            ("a.ts", "login({ user, password: '%' });\n"),
            ("a.xml", "<password>%</password>\n"),
            ("a.php", "define('DB_PASSWORD', '%');\n"),
            ("a.properties", "spring.datasource.password=%\n"))),
        "api key": (HEX, "32", (
            ("a.py", 'API_KEY = "%"\n'),
            ("a.ts", "apiKey: '%',\n"),
            ("a.yml", "api_key: %\n"),
            (".env", "MAPS_API_KEY=%\n"),
            ("a.json", '{"api-key": "%"}\n'),
            ("a.go", 'apiKey := "%"\n'),
            ("a.md", "curl 'https://example.org/?api_key=%'\n"),
            ("a.properties", "service.apiKey=%\n"),
            ("a.rb", "api_key: '%'\n"),
            ("A.cs", 'var ApiKey = "%";\n'))),
        "client secret": (ALNUM, "32", (
            ("a.py", 'client_secret="%"\n'),
            ("a.ts", "clientSecret: '%'\n"),
            ("a.yml", "clientSecret: %\n"),
            (".env", "OAUTH_CLIENT_SECRET=%\n"),
            ("a.json", '{"client_secret":"%"}\n'),
            ("a.go", 'ClientSecret: "%",\n'),
            ("a.toml", 'client_secret = "%"\n'),
            ("a.md", "grant_type=code&client_secret=%&scope=all\n"),
            ("a.rb", "CLIENT_SECRET = '%'\n"),
            ("a.kt", 'val clientSecret = "%"\n'))),
        "bearer": (ALNUM, "40", (
            ("a.sh", 'curl -H "Authorization: Bearer %" https://example.org\n'),
            ("a.py", 'h = {"Authorization": "Bearer %"}\n'),
            ("a.ts", "headers: { Authorization: 'Bearer %' }\n"),
            ("a.http", "Authorization: Bearer %\n"),
            ("a.log", "> Authorization: Bearer %\n"),
            ("a.md", "`Authorization: token %`\n"),
            ("a.go", 'req.Header.Set("Authorization", "Bearer %")\n'),
            ("a.yml", "authorization: Bearer %\n"),
            ("a.json", '{"Authorization":"Bearer %"}\n'),
            ("a.rb", "'Authorization' => 'Bearer %'\n"))),
        "connection string": (ALNUM, "12", (
            ("a.py", 'URL = "postgres://ada:%@db.example.org:5432/app"\n'),
            (".env", "REDIS_URL=redis://:%@cache:6379/0\n"),
            ("a.yml", "url: mongodb+srv://ada:%@db.example.org/app\n"),
            ("a.ts", "connect('amqp://ada:%@mq/app');\n"),
            ("a.md", "git clone https://ada:%@git.example.org/app.git\n"),
            ("a.json", '{"url": "mysql://ada:%@db/app"}\n'),
            ("a.cs", 'var c = "Server=db;User Id=sa;Password=%;";\n'),
            ("a.go", 'dsn := "postgres://ada:%@db/app"\n'),
            ("a.log", "connecting to ftp://ada:%@files.example.org/\n"),
            ("a.ini", "url = ldap://ada:%@ldap.example.org\n"))),
        "random string": (BASE64, "44", (
            ("a.py", 'UPLOAD_SALT = "%"\n'),
            ("a.ts", 'const salt = "%";\n'),
            ("a.yml", "salt: %\n"),
            (".env", "UPLOAD_SALT=%\n"),
            ("a.json", '{"salt": "%"}\n'),
            ("a.go", 'salt := "%"\n'),
            ("A.java", 'String salt = "%";\n'),
            ("a.rb", "SALT = '%'\n"),
            ("a.toml", 'salt = "%"\n'),
            ("a.php", "$salt = '%';\n"))),
    }  # fmt: skip


def secrets() -> list[Case]:
    """Ten cases of each of 30 kinds, each in another place, with another value."""
    cases: list[Case] = []
    for kind, make in _tokens().items():
        for number, (path, place) in enumerate(PLACES):
            token = make(f"{kind}/{number}")
            cases.append(Case(kind, path, place.replace("%", token), token))
    for kind, (alphabet, length, places) in _assignments().items():
        for number, (path, place) in enumerate(places):
            value = random_string(f"{kind}/{number}", int(length), alphabet)
            cases.append(Case(kind, path, place.replace("%", value), value))
    cases += _private_keys("rsa key", "RSA ", ENCRYPTED_HEADER)
    cases += _private_keys("openssh key", "OPENSSH ")
    cases += _private_keys("pgp key", "PGP ", PGP_HEADER, " BLOCK")
    return cases
