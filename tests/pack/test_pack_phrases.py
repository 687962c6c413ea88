"""Names written as words: `where is the auth guard used`, `the auth guard fails after a logout`."""

from __future__ import annotations

from pathlib import Path

import pytest

from context_pack import api
from context_pack.kinds.code.question_forms import with_name
from index.search.spelling import phrases_in

FILES = {
    "web/guard.ts": "export class AuthGuard {\n  enter(user: string) {\n    return user.length > 0\n  }\n}\n",
    "web/routes.ts": "import { AuthGuard } from './guard'\n\nexport const routes = [new AuthGuard().enter('ann')]\n",
    "web/auth/session.ts": "// If a user fails to log in.\nexport function failed(auth: string, error: number) {\n"
    "  return auth + ' fails after an error of the guard ' + error\n}\n",
    "web/auth/logout.ts": "export function logout(auth: string) {\n  return 'error: auth fails, guard ' + auth\n}\n",
    "web/kinds.ts": "export interface UserKind {\n  guard: string\n}\n",
    "web/LogFile.cs": "public class LogFile\n{\n    public string ErrorMessage { get; set; }\n\n"
    "    public string LineCount() { return ErrorMessage; }\n}\n",
    "web/Logs.cs": "public class Logs\n{\n    public LogFile Read() { return new LogFile(); }\n}\n",
    "web/change.py": "class KindChange:\n    pass\n",
    "web/user_kind_change_event.py": "class UserKindChangeEvent:\n    pass\n",
}


@pytest.mark.parametrize(
    ("question", "meaning"),
    [
        ("where is the auth guard used", "where is AuthGuard used"),
        ("who calls the Auth Guard?", "who calls AuthGuard?"),
        ("tests for the auth guard", "tests for the auth guard"),  # it has none: the words say more
        ("what does the auth guard return", "what does the auth guard return"),
        ("where is the user kind used", "where is the user kind used"),
        ("where is the auth session used", "where is the auth session used"),
        ("where is the log file used", "where is LogFile used"),
        ("where is the log file written", "where is the log file written"),  # no type is
        ("who opens the log file", "who opens the log file"),  # no component
    ],
)
def test_a_question_about_the_ties_of_a_name_in_words(tree: Path, question: str, meaning: str) -> None:
    assert with_name(api.open(tree).corpus, question) == meaning


def test_the_users_of_a_name_in_words_are_shown_under_the_question(tree: Path) -> None:
    pack = api.query("where is the auth guard used", repo=tree)
    assert (pack.query, [item.file for item in pack.items][:2]) == (
        "where is the auth guard used",
        ["web/guard.ts", "web/routes.ts"],
    )


def test_a_sentence_about_a_name_in_words_begins_with_its_definition(tree: Path) -> None:
    pack = api.query("auth guard fails with an error after a user is logged out", repo=tree)
    assert pack.items[0].file == "web/guard.ts"


def test_a_sentence_with_the_words_of_a_type_of_data_does_not_begin_with_it(tree: Path) -> None:
    pack = api.query("auth fails with an error for this user kind after a logout", repo=tree)
    assert pack.items[0].file != "web/kinds.ts"


@pytest.mark.parametrize("words", ["error message", "line count"])
def test_a_sentence_with_the_words_of_a_member_does_not_begin_with_it(tree: Path, words: str) -> None:
    pack = api.query(f"auth fails, guard shows no {words} of a user after logout", repo=tree)
    assert pack.items[0].file != "web/LogFile.cs"


def test_the_longest_name_is_meant(tree: Path) -> None:
    pack = api.query("auth fails with an error after the user kind change event is sent", repo=tree)
    assert pack.items[0].symbol == "UserKindChangeEvent"


def test_only_words_that_some_text_joins_are_looked_up_as_names(tree: Path) -> None:
    corpus = api.open(tree).corpus
    phrases = ["auth guard", "Log File", "user kind change event", "auth session"]
    assert [corpus.joins(phrase) for phrase in phrases] == [True, True, True, False]


def test_the_words_that_may_be_a_name() -> None:
    assert phrases_in("the auth guard, user/kind and open_cart fail twice") == ["auth guard", "fail twice"]
    assert len(phrases_in("auth guard " * 500)) <= 60
