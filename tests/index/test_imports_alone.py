"""Chunks that are imports and nothing else, of which a pack for a change says little."""

from pathlib import Path

import pytest

from context_pack import api

INCLUDES = "#include <stdio.h>\n#include <stdlib.h>\n"
FUNCTION = (
    "int total(int count)\n{\n  int sum = 0;\n  for (int at = 0; at < count; at++)\n    sum += at;\n  return sum;\n}\n"
)


@pytest.mark.parametrize(
    ("file", "code", "alone"),
    [
        ("cart.c", f"/* Carts. */\n\n{INCLUDES}\n{FUNCTION}", True),
        ("cart.c", f"{FUNCTION}\n#ifdef CART_FILES\n{INCLUDES}\n#define LIMIT 3\n#endif\n", False),
        ("cart.py", "#!/usr/bin/env python\n# Carts.\nimport os\nimport sys\n", True),
        ("cart.py", "import os; LIMIT = os.cpu_count()\n", False),
    ],
)
def test_directives_are_code_and_comments_are_not(tmp_path: Path, file: str, code: str, alone: bool) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / file).write_text(code)
    corpus = api.open(tmp_path / "tree", index_dir=str(tmp_path / "index")).corpus
    assert any(map(corpus.only_imports, corpus.chunks_of_file(file))) is alone
