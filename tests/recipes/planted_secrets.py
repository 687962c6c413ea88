"""Secrets of every kind, assembled at run time, so that no scanner reports this repository."""

from __future__ import annotations

import base64
import json
import random
import string
from dataclasses import dataclass

ALNUM = string.ascii_letters + string.digits


@dataclass(frozen=True, slots=True)
class Planted:
    """A line with a secret: the line, the part that must not be shown, and the kinds that may be reported."""

    name: str
    text: str
    secret: str
    kinds: frozenset[str]


def _random(seed: str, length: int, alphabet: str = ALNUM) -> str:
    """A random-looking string, the same for the same seed, with every class of characters of the alphabet."""
    source = random.Random(seed)
    sure = [next(c for c in alphabet if test(c)) for test in (str.isdigit, str.islower, str.isupper)
            if any(map(test, alphabet))]  # fmt: skip
    drawn = [source.choice(alphabet) for _ in range(length - len(sure))] + sure
    source.shuffle(drawn)
    return "".join(drawn)


def _jwt(seed: str) -> str:
    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    return ".".join([part({"alg": "HS256", "typ": "JWT"}), part({"sub": seed, "iat": 1516239022}), _random(seed, 43)])


def private_key(seed: str, label: str = "RSA ", lines: int = 6) -> str:
    body = "\n".join(_random(f"{seed}{line}", 64, ALNUM + "+/") for line in range(lines))
    return f"-----BEGIN {label}PRIVATE" + f" KEY-----\n{body}\n-----END {label}PRIVATE" + " KEY-----"


def planted(seed: str) -> list[Planted]:
    """One secret of each kind; each seed gives different secrets."""
    hexes = "0123456789abcdef"
    word = ALNUM + "_-"
    base64s = ALNUM + "+/"

    def r(name: str, length: int, alphabet: str = ALNUM) -> str:
        return _random(f"{seed}/{name}", length, alphabet)

    keys = [
        ("aws access key", "AKIA" + r("a", 16, string.ascii_uppercase + string.digits), "aws_access_key"),
        ("gcp api key", "AI" + "za" + r("b", 35, word), "gcp_api_key"),
        ("gcp client secret", "GOC" + "SPX-" + r("c", 28, word), "gcp_oauth"),
        ("gcp access token", "ya29" + "." + r("d", 60, word), "gcp_oauth"),
        ("azure client secret", "a8" + "x8Q~" + r("e", 34), "azure_client_secret"),
        ("github token", "gh" + "p_" + r("f", 36), "github_token"),
        ("github fine-grained token", "github" + "_pat_" + r("g", 22) + "_" + r("h", 59), "github_token"),
        ("gitlab token", "gl" + "pat-" + r("i", 20), "gitlab_token"),
        ("bitbucket token", "AT" + "BB" + r("j", 32), "bitbucket_token"),
        ("slack token", "xo" + "xb-" + r("k", 12, string.digits) + "-" + r("l", 24), "slack_token"),
        ("slack webhook", "https://hooks.slack" + ".com/services/T" + r("m", 8) + "/B" + r("n", 8) + "/" + r("o", 24),
         "slack_webhook"),
        ("discord token", "MT" + r("p", 22) + "." + r("q", 6) + "." + r("r", 38), "discord_token"),
        ("discord webhook", "https://discord" + ".com/api/webhooks/" + r("s", 18, string.digits) + "/" + r("t", 68),
         "discord_webhook"),
        ("telegram token", r("u", 9, "123456789") + ":A" + "A" + r("v", 33, word), "telegram_token"),
        ("stripe key", "sk_" + "live_" + r("w", 24), "stripe_key"),
        ("stripe restricted key", "rk_" + "test_" + r("x", 24), "stripe_key"),
        ("square token", "sq0" + "atp-" + r("y", 22, word), "square_token"),
        ("paypal token", "access_token" + "$production$" + r("z", 16, hexes) + "$" + r("aa", 32, hexes),
         "paypal_token"),
        ("npm token", "np" + "m_" + r("ab", 36), "npm_token"),
        ("pypi token", "py" + "pi-AgEIcHlwaS5vcmc" + r("ac", 70, word), "pypi_token"),
        ("openai key", "s" + "k-" + r("ad", 48), "openai_key"),
        ("openai project key", "s" + "k-proj-" + r("ae", 60, word), "openai_key"),
        ("anthropic key", "s" + "k-ant-api03-" + r("af", 80, word), "anthropic_key"),
        ("hugging face token", "h" + "f_" + r("ag", 34, string.ascii_letters), "huggingface_token"),
        ("twilio key", "S" + "K" + r("ah", 32, hexes), "twilio_key"),
        ("sendgrid key", "S" + "G." + r("ai", 22, word) + "." + r("aj", 43, word), "sendgrid_key"),
        ("mailgun key", "ke" + "y-" + r("ak", 32, hexes), "mailgun_key"),
        ("mailchimp key", r("al", 32, hexes) + "-us" + "12", "mailchimp_key"),
        ("jwt", _jwt(seed), "jwt"),
        ("shopify token", "shp" + "at_" + r("am", 32, hexes), "shopify_token"),
        ("digitalocean token", "do" + "p_v1_" + r("an", 64, hexes), "digitalocean_token"),
        ("databricks token", "da" + "pi" + r("ao", 32, hexes), "databricks_token"),
        ("vault token", "hv" + "s." + r("ap", 90, word), "vault_token"),
        ("grafana token", "gl" + "sa_" + r("aq", 32) + "_" + r("ar", 8, hexes), "grafana_token"),
        ("newrelic key", "NR" + "AK-" + r("as", 27, string.ascii_uppercase + string.digits), "newrelic_key"),
        ("artifactory token", "AK" + "C" + r("at", 70), "artifactory_token"),
        ("age key", "AGE-SECRET" + "-KEY-1" + r("au", 58, string.ascii_uppercase + string.digits), "age_key"),
        ("dynatrace token", "dt0" + "c01." + r("av", 24, string.ascii_uppercase + string.digits) + "."
         + r("aw", 64, string.ascii_uppercase + string.digits), "dynatrace_token"),
        ("asana token", "1/" + r("ax", 16, string.digits) + ":" + r("ay", 32, hexes), "asana_token"),
        ("nuget key", "oy" + "2" + r("az", 43, string.ascii_lowercase + string.digits), "nuget_key"),
        ("fly token", "fm" + "2_" + r("ca", 120, base64s), "service_token"),
        ("fly deploy token", "fo" + "1_" + r("cg", 9) + "_" + r("ch", 16) + "-" + r("ci", 16), "service_token"),
        ("contentful token", "CF" + "PAT-" + r("cj", 5) + "-" + r("ck", 37), "service_token"),
        ("circleci token", "CCI" + "PAT_" + r("cl", 22) + "_" + r("cm", 40, hexes), "service_token"),
        ("netlify token", "nf" + "p_" + r("cb", 36), "service_token"),
        ("pulumi token", "pu" + "l-" + r("cc", 40, hexes), "service_token"),
        ("brevo key", "xkey" + "sib-" + r("cd", 64, hexes) + "-" + r("ce", 16), "service_token"),
        ("notion secret", "sec" + "ret_" + r("cf", 43), "service_token"),
    ]  # fmt: skip
    found = [Planted(name, f"    use({key!r})  # {name}", key, frozenset({kind})) for name, key, kind in keys]
    values = [
        ("aws secret key", "aws_secret_access_key = ", r("ba", 40, base64s), {"api_key", "secret"}),
        ("azure storage key", "AccountName=a;Account" + "Key=", r("bb", 86, base64s) + "==", {"azure_storage_key"}),
        ("password", 'pass' + 'word = "', r("bc", 10) + "!x", {"password"}),
        ("password in capitals", "DB_PASS" + "WORD=", r("bd", 12), {"password"}),
        ("password in yaml", "  db_pass" + "word: ", r("be", 12), {"password"}),
        ("password in json", '{"pass' + 'word": "', r("bf", 12), {"password"}),
        ("token", 'access_to' + 'ken = "', r("bg", 32), {"token"}),
        ("secret", 'client_sec' + 'ret: "', r("bh", 32), {"secret"}),
        ("api key", 'apiK' + 'ey: "', r("bi", 32, hexes), {"api_key"}),
        ("npm auth", "//registry.example.org/:_auth" + "Token=", r("bj", 36), {"token"}),
        ("authorization", "Authorization: Basic ", base64.b64encode(f"u:{seed}#12345".encode()).decode(),
         {"authorization"}),
        ("bearer", "Authorization: Bear" + "er ", r("bk", 40), {"authorization"}),
        ("ado connection string", "Server=db;User Id=sa;Pass" + "word=", r("bl", 12), {"password"}),
        ("random string", 'UPLOAD_SALT = "', r("bm", 44, base64s), {"high_entropy"}),
        ("secret in a URL", "https://example.org/login?user=a&pass" + "word=", r("bn", 12), {"password"}),
        ("command line", "curl --to" + "ken ", r("bo", 24), {"token"}),
        ("xml element", "<pass" + "word>", r("bp", 12) + "</password>", {"password"}),
        ("netrc", "machine example.org login a pass" + "word ", r("bq", 12), {"password"}),
    ]  # fmt: skip
    for name, before, value, kinds in values:
        secret, more, _ = value.partition("</")
        close = '"' if before.endswith('"') else ""
        found.append(Planted(name, f"{before}{secret}{close}{more and '</password>'}", secret, frozenset(kinds)))
    word_of = r("bs", 12)
    for scheme in ("postgres", "mongodb+srv", "redis"):
        url = f"{scheme}://admin:{word_of}@db.example.org:5432/app"
        found.append(Planted(f"{scheme} login", f"url: {url}", word_of, frozenset({"connection_string"})))
    for label in ("RSA ", "EC ", "OPENSSH ", ""):
        key = private_key(f"{seed}{label}", label)
        found.append(Planted(f"{label}private key", key, key.split("\n")[2], frozenset({"private_key"})))
    escaped = private_key(f"{seed}json", "").replace("\n", "\\n")
    found.append(
        Planted("service account", f'{{"private_key": "{escaped}\\n"}}', escaped[60:100], frozenset({"private_key"}))
    )
    return found
