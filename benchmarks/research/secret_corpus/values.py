"""A case of the corpus, and the generation of its values."""

from __future__ import annotations

import random
import string
from dataclasses import dataclass

EACH = 10  # cases of each kind
ALNUM = string.ascii_letters + string.digits
WORD = ALNUM + "_-"
HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + string.digits
BASE64 = ALNUM + "+/"
WORDS = (
    "anvil barley cobalt dune ember fjord gravel harbor indigo jungle kettle lantern meadow nickel orchid pebble quartz"
    " raven saddle timber umbra velvet walnut yonder zephyr copper bramble cinder falcon glacier"
).split()


@dataclass(frozen=True, slots=True)
class Case:
    """A text, its path, and the part of it that must not be shown (empty for a look-alike)."""

    kind: str
    path: str
    text: str
    secret: str = ""


def random_string(seed: str, length: int, alphabet: str = ALNUM) -> str:
    """A random string, the same for the same seed, with at least one of each class of characters in the alphabet."""
    source = random.Random(seed)
    classes = (str.isdigit, str.islower, str.isupper)
    sure = [source.choice([c for c in alphabet if of(c)]) for of in classes if any(map(of, alphabet))]
    characters = [source.choice(alphabet) for _ in range(length - len(sure))] + sure
    source.shuffle(characters)
    return "".join(characters)


def private_key(seed: str, label: str = "RSA ", lines: int = 6, header: str = "", block: str = "") -> str:
    body = "\n".join(random_string(f"{seed}{line}", 64, BASE64) for line in range(lines))
    dashes = "-" * 5
    name = f"{label}PRIVATE" + f" KEY{block}"
    return f"{dashes}BEGIN {name}{dashes}\n{header}{body}\n{dashes}END {name}{dashes}"


PGP_HEADER = "Version: GnuPG v2\n\n"
ENCRYPTED_HEADER = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF0123456789ABCDEF\n\n"
