"""Secrets of 30 kinds, 300 texts that only look like one, and forms in which code and tools write a password.

All values are generated at run time from pieces and seeds, so that no scanner reports this repository and no value is a
real secret. Every case is one text with the path that it would have.
"""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable
from dataclasses import dataclass

EACH = 10  # cases of each kind
ALNUM = string.ascii_letters + string.digits
WORD = ALNUM + "_-"
HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + string.digits
BASE64 = ALNUM + "+/"


@dataclass(frozen=True, slots=True)
class Case:
    """A text, its path, and the part of it that must not be shown (empty for a look-alike)."""

    kind: str
    path: str
    text: str
    secret: str = ""


def random_string(seed: str, length: int, alphabet: str = ALNUM) -> str:
    """The same string for the same seed, with each class of characters that the alphabet has."""
    source = random.Random(seed)
    classes = (str.isdigit, str.islower, str.isupper)
    sure = [source.choice([c for c in alphabet if of(c)]) for of in classes if any(map(of, alphabet))]
    characters = [source.choice(alphabet) for _ in range(length - len(sure))] + sure
    source.shuffle(characters)
    return "".join(characters)


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


def private_key(seed: str, label: str = "RSA ", lines: int = 6, header: str = "", block: str = "") -> str:
    body = "\n".join(random_string(f"{seed}{line}", 64, BASE64) for line in range(lines))
    dashes = "-" * 5
    name = f"{label}PRIVATE" + f" KEY{block}"
    return f"{dashes}BEGIN {name}{dashes}\n{header}{body}\n{dashes}END {name}{dashes}"


PGP_HEADER = "Version: GnuPG v2\n\n"
ENCRYPTED_HEADER = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF0123456789ABCDEF\n\n"
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


# Forms in which languages, tools and files write a secret: (path, text). `{p}` is a password of letters, digits and a
# sign, `{t}` letters and digits, `{b}` base 64, `{h}` 64 hexadecimal digits, `{w}` four words.
FORMS: tuple[tuple[str, str], ...] = (
    # Languages
    ("a.rs", 'const DB_PASSWORD: &str = "{p}";\n'),
    ("a.rs", "pub const API_KEY: &'static str = \"{t}\";\n"),
    ("a.rs", 'static SECRET: &[u8] = b"{p}";\n'),
    ("a.rs", 'let password = String::from("{p}");\n'),
    ("a.rs", 'let password: String = "{p}".to_string();\n'),
    ("a.rs", 'const TOKEN: &str = r#"{t}"#;\n'),
    ("a.rs", 'password: Some("{p}".into()),\n'),
    ("a.h", '#define DB_PASSWORD "{p}"\n'),
    ("a.h", '#define API_KEY      "{t}"\n'),
    ("a.c", 'static const char password[] = "{p}";\n'),
    ("a.c", 'const char *api_key = "{t}";\n'),
    ("a.c", 'char password[32] = "{p}";\n'),
    ("a.cpp", 'const std::string password{"{p}"};\n'),
    ("a.cpp", 'std::string password("{p}");\n'),
    ("a.cpp", 'constexpr std::string_view kApiKey = "{t}";\n'),
    ("a.cpp", 'auto password = R"({p})";\n'),
    ("a.cpp", 'auto secret = std::string{"{p}"};\n'),
    ("a.cpp", 'const wchar_t* password = L"{p}";\n'),
    ("a.cpp", 'QString password = QStringLiteral("{p}");\n'),
    ("A.scala", 'val password: String = "{p}"\n'),
    ("A.scala", 'val password = """{p}"""\n'),
    ("A.scala", 'lazy val apiKey: Option[String] = Some("{t}")\n'),
    ("A.scala", 'private[this] val secret = s"{p}"\n'),
    ("A.kt", 'const val PASSWORD: String = "{p}"\n'),
    ("A.kt", 'private val password by lazy { "{p}" }\n'),
    ("A.java", 'public static final String DB_PASSWORD = "{p}";\n'),
    ("A.java", 'config.setPassword("{p}");\n'),
    ("A.java", 'char[] password = "{p}".toCharArray();\n'),
    ("A.java", '@Value("${db.password:{p}}")\n'),
    ("A.cs", 'private const string Password = @"{p}";\n'),
    ("A.cs", 'new NetworkCredential("ada", "{p}");\n'),
    ("a.swift", 'let password: String = "{p}"\n'),
    ("a.swift", 'static let apiKey = "{t}"\n'),
    ("a.m", 'NSString *password = @"{p}";\n'),
    ("a.go", 'const Password string = "{p}"\n'),
    ("a.go", "password := `{p}`\n"),
    ("a.go", 'var token = []byte("{t}")\n'),
    ("a.go", 'os.Setenv("DB_PASSWORD", "{p}")\n'),
    ("a.php", "$config['db']['password'] = '{p}';\n"),
    ("a.php", "'password' => '{p}',\n"),
    ("a.php", "define( 'AUTH_KEY', '{p}|k9 Q' );\n"),
    ("a.pl", "my $password = q({p});\n"),
    ("a.pl", "password => '{p}',\n"),
    ("a.rb", ":password => '{p}',\n"),
    ("a.rb", "password: %q({p}),\n"),
    ("a.rb", "ENV['DB_PASSWORD'] ||= '{p}'\n"),
    ("a.exs", 'config :app, App.Repo, password: "{p}"\n'),
    ("a.ex", '@api_key "{t}"\n'),
    ("a.hs", 'password = "{p}"\n'),
    ("a.hs", 'apiKey :: Text\napiKey = "{t}"\n'),
    ("a.lua", "local password = [[{p}]]\n"),
    ("a.lua", 'password = "{p}",\n'),
    ("a.zig", 'const password: []const u8 = "{p}";\n'),
    ("a.py", "PASSWORD = '''{p}'''\n"),
    ("a.py", 'password: Final[str] = "{p}"\n'),
    ("a.py", 'os.environ["DB_PASSWORD"] = "{p}"\n'),
    ("a.py", 'os.environ.setdefault("API_KEY", "{t}")\n'),
    ("a.py", 'password = os.getenv("DB_PASSWORD", "{p}")\n'),
    ("a.py", 'SECRET_KEY = "django-insecure-({b})"\n'),
    ("a.py", 'password = ("{p}")\n'),
    ("a.ts", "const password = process.env.DB_PASSWORD || '{p}';\n"),
    ("a.ts", "const apiKey: string = `{t}`;\n"),
    ("a.ts", "export const token = '{t}' as const;\n"),
    ("a.js", "headers['X-Api-Key'] = '{t}';\n"),
    ("a.sql", "CREATE USER ada WITH PASSWORD '{p}';\n"),
    ("a.sql", "ALTER USER ada IDENTIFIED BY '{p}';\n"),
    ("a.r", 'password <- "{p}"\n'),
    ("a.jl", 'const password = raw"{p}"\n'),
    ("a.ps1", '$Password = ConvertTo-SecureString "{p}" -AsPlainText -Force\n'),
    ("a.bat", "set DB_PASSWORD={p}\n"),
    ("a.fish", "set -x API_KEY {t}\n"),
    # Commands
    ("a.sh", "sshpass -p '{p}' ssh ada@example.org\n"),
    ("a.sh", "sshpass -p{p} ssh ada@example.org\n"),
    ("a.sh", "docker login -u ada -p {p} registry.example.org\n"),
    ("a.sh", 'docker login --username ada --password "{p}"\n'),
    ("a.sh", "podman login -u=ada -p={p} registry.example.org\n"),
    ("a.sh", "helm registry login -u ada -p '{p}' registry.example.org\n"),
    ("a.sh", "echo '{p}' | docker login -u ada --password-stdin\n"),
    ("a.sh", "echo {p} | sudo -S apt-get update\n"),
    ("a.sh", "curl -H 'X-Api-Key: {t}' https://example.org\n"),
    ("a.sh", 'curl -H "X-Auth-Token: {t}" https://example.org\n'),
    ("a.sh", "curl -H 'PRIVATE-TOKEN: {t}' https://example.org\n"),
    ("a.sh", "wget --http-password={p} https://example.org\n"),
    ("a.sh", "PGPASSWORD={p} psql -h db\n"),
    ("a.sh", "psql 'host=db user=ada password={p}'\n"),
    ("a.sh", "redis-cli -h cache -a {p} ping\n"),
    ("a.sh", "mysqldump -u ada -p'{p}' shop\n"),
    ("a.sh", "mongo -u ada -p {p} app\n"),
    ("a.sh", "htpasswd -b .htpasswd ada {p}\n"),
    ("a.sh", "openssl rsa -in a.pem -passin pass:{p}\n"),
    ("a.sh", "kubectl create secret generic db --from-literal=password={p}\n"),
    ("a.sh", "helm upgrade app . --set auth.password={p}\n"),
    ("a.sh", "keytool -storepass {p} -list\n"),
    ("a.sh", "az login --service-principal -u app -p {p} --tenant t\n"),
    ("a.sh", "aws configure set aws_secret_access_key {b}\n"),
    ("a.sh", "ldapsearch -D cn=ada -w {p} -b dc=org\n"),
    ("a.sh", "snmpwalk -v3 -u ada -A {p} host\n"),
    ("a.sh", "net use z: \\\\host\\share /user:ada {p}\n"),
    # Files
    (".pgpass", "db.example.org:5432:app:ada:{p}\n"),
    ("home/.pgpass", "*:*:*:ada:{p}\n"),
    (".netrc", "machine example.org\n  login ada\n  password {p}\n"),
    ("kubeconfig", "    client-key-data: {b}\n"),
    ("kubeconfig", "    token: {t}\n"),
    ("secret.yaml", "apiVersion: v1\nkind: Secret\ndata:\n  password: {b}==\n"),
    (".docker/config.json", '{"auths": {"r.example.org": {"auth": "{b}=="}}}\n'),
    (".npmrc", "//r.example.org/:_password={b}==\n"),
    ("settings.xml", "<server><id>r</id><password>{p}</password></server>\n"),
    ("web.config", '<add key="ApiKey" value="{t}" />\n'),
    ("App.config", '<add name="db" connectionString="Server=db;Uid=ada;Pwd={p};" />\n'),
    ("a.xml", '<property name="password" value="{p}"/>\n'),
    ("gradle.properties", "signing.password={p}\n"),
    ("a.tf", 'variable "db_password" {\n  default = "{p}"\n}\n'),
    ("hosts", "db ansible_user=ada ansible_ssh_pass={p}\n"),
    ("wpa_supplicant.conf", '  psk="{p}"\n'),
    ("secrets.yml", "secret_key_base: {h}\n"),
    (".env", "APP_KEY=base64:{b}\n"),
    (".env", "PRIVATE_KEY=0x{h}\n"),
    ("a.http", "X-Api-Key: {t}\n"),
    ("a.http", "GET /v1?access_token={t}&limit=3\n"),
    ("a.md", "otpauth://totp/app:ada?secret=JBSWY3DPEHPK3PXPABCD&issuer=app\n"),
    ("a.md", "jdbc:oracle:thin:ada/{p}@db:1521:app\n"),
    ("a.md", "Password: {p}\n"),
    # Words as a passphrase
    ("a.py", 'passphrase = "{w}"\n'),
    ("a.yml", "key_passphrase: {w}\n"),
    ("a.env", 'BACKUP_PASSPHRASE="{w}"\n'),
    ("a.json", '{"passphrase": "{w} 7"}\n'),
    ("a.ts", "const password = '{w} 9';\n"),
    ("a.md", "mnemonic: {w} {w} {w}\n"),
    # Written down after the rules were, and not looked at while they were made
    ('a.rs', 'pub static PASSWORD: &\'static str = "{p}";\n'),
    ('a.rs', '.password("{p}")\n'),
    ('a.rs', 'env::var("TOKEN").unwrap_or("{t}".to_string())\n'),
    ('a.cpp', 'static const char* const kSecretKey = "{t}";\n'),
    ('a.c', 'strcpy(password, "{p}");\n'),
    ('a.h', '# define WIFI_PSK "{p}"\n'),
    ('a.h', '#define WIFI_PASS "{p}"\n'),
    ('A.scala', 'def password = "{p}"\n'),
    ('A.scala', 'implicit val token: Token = Token("{t}")\n'),
    ('A.kt', 'password = "{p}",\n'),
    ('A.java', 'props.put("password", "{p}");\n'),
    ('A.java', 'DriverManager.getConnection(url, "ada", "{p}");\n'),
    ('A.cs', 'Password = "{p}",\n'),
    ('A.cs', 'builder["Password"] = "{p}";\n'),
    ('a.go', 'Password: "{p}",\n'),
    ('a.go', 'cfg.Passwd = "{p}"\n'),
    ('a.swift', 'private let clientSecret = """\n{t}\n"""\n'),
    ('a.dart', "static const String apiKey = '{t}';\n"),
    ('a.php', '$password = "{p}";\n'),
    ('a.php', "mysqli_connect('db', 'ada', '{p}');\n"),
    ('a.rb', "secret_key_base = '{h}'\n"),
    ('a.erl', '{password, "{p}"}\n'),
    ('a.clj', ':password "{p}"\n'),
    ('a.groovy', "password '{p}'\n"),
    ('build.gradle', '    storePassword "{p}"\n'),
    ('a.vue', '<input :password="{p}">\n'),
    ('Dockerfile', 'ENV DB_PASSWORD={p}\n'),
    ('Dockerfile', 'ENV DB_PASSWORD {p}\n'),
    ('Dockerfile', 'ARG NPM_TOKEN={t}\n'),
    ('compose.yml', '    - POSTGRES_PASSWORD={p}\n'),
    ('compose.yml', '      MYSQL_ROOT_PASSWORD: {p}\n'),
    ('a.yml', "password: '{p}'\n"),
    ('a.yml', 'token: !!str {t}\n'),
    ('a.yml', 'password: |\n  {p}\n'),
    ('a.tf', 'password = "{p}"\n'),
    ('a.nix', 'password = "{p}";\n'),
    ('a.plist', '<key>ApiKey</key>\n<string>{t}</string>\n'),
    ('a.xml', '<secret name="x">{t}</secret>\n'),
    ('a.ini', 'password={p} ; the old one\n'),
    ('a.env', "export TOKEN='{t}'\n"),
    ('a.ps1', '$env:API_KEY = "{t}"\n'),
    ('a.ps1', "-Password (ConvertTo-SecureString '{p}' -AsPlainText)\n"),
    ('a.sh', "export PASS='{p}'\n"),
    ('a.sh', 'mysql --password={p} -u ada\n'),
    ('a.sh', 'http POST :8080 X-API-Key:{t}\n'),
    ('a.sh', 'vault login {t}\n'),
    ('a.sh', 'gh auth login --with-token <<< {t}\n'),
    ('a.sh', "ansible-playbook -e 'ansible_become_pass={p}'\n"),
    ('a.sh', 'docker run -e DB_PASSWORD={p} app\n'),
    ('a.sh', "curl -d 'user=ada&password={p}' x\n"),
    ('a.sh', 'curl -d \'{"password":"{p}"}\' x\n'),
    ('a.sh', "kinit ada <<< '{p}'\n"),
    ('a.md', '| password | {p} |\n'),
    ('a.md', '- **Password:** `{p}`\n'),
    ('a.md', 'password is {p}\n'),
    ('a.http', 'Cookie: session={t}\n'),
    ('a.http', 'X-Amz-Security-Token: {t}\n'),
    ('a.http', 'Ocp-Apim-Subscription-Key: {t}\n'),
    ('a.csv', 'ada,password,{p}\n'),
    ('a.toml', "password = '{p}'\n"),
    ('a.json', '{"name": "DB_PASSWORD", "value": "{p}"}\n'),
    ('a.py', 'connect("db", "ada", password="{p}")\n'),
    ('a.py', 'auth=("ada", "{p}")\n'),
    ('a.py', 'HTTPBasicAuth("ada", "{p}")\n'),
    ('a.py', 'passwd: str | None = "{p}"\n'),
    ('a.ts', "'Authorization': `Basic ${btoa('ada:{p}')}`\n"),
    ('a.ts', 'new AWS({ secretAccessKey: "{b}" })\n'),
)  # fmt: skip
WORDS = (
    "anvil barley cobalt dune ember fjord gravel harbor indigo jungle kettle lantern meadow nickel orchid pebble quartz"
    " raven saddle timber umbra velvet walnut yonder zephyr copper bramble cinder falcon glacier"
).split()
TOTP = "JBSWY3DPEHPK3PXPABCD"


def wider() -> list[Case]:
    """Each form with a value of its own; escaped private keys on one line besides."""
    cases = []
    for number, (path, form) in enumerate(FORMS):
        values = _values(f"wider/{number}")
        text, secret = form, TOTP
        for mark, value in values.items():
            if mark in text:
                text, secret = text.replace(mark, value), value
        cases.append(Case("wider form", path, text, secret))
    for label, block, header in (("PGP ", " BLOCK", PGP_HEADER), ("RSA ", "", ENCRYPTED_HEADER), ("", "", "")):
        key = private_key(f"wider/{label}", label, header=header, block=block)
        cases.append(Case("wider form", "a.json", json.dumps({"note": key}) + "\n", key.split("\n")[-3]))
        cut = json.dumps(private_key(f"wider/{label}", label, 20, header, block))[:900]
        cases.append(Case("wider form", "a.json", f"{cut}\n", key.split("\n")[-3]))
        pem = base64.b64encode(key.encode()).decode()
        cases.append(Case("wider form", "kubeconfig", f"    client-key-data: {pem}\n", pem[300:360]))
        cases.append(Case("wider form", "a.tf", f'  default = "{pem}"\n', pem[300:360]))
        twice = json.dumps(json.dumps({"note": key}))
        cases.append(Case("wider form", "a.log", twice + "\n", key.split("\n")[-3]))
    return cases


def _values(seed: str) -> dict[str, str]:
    return {
        "{p}": random_string(seed, 11) + "!",
        "{t}": random_string(seed, 28),
        "{b}": random_string(seed, 44, BASE64),
        "{h}": random_string(seed, 64, HEX),
        "{w}": " ".join(random.Random(seed).sample(WORDS, 4)),
    }


# What looks like a secret and is none: `{...}` as above, and `{i}` a number, `{n}` a name, `{g}` a hash of git,
# `{u}` a UUID, `{d}` 64 hexadecimal digits, `{k}` 86 characters of base 64.
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
