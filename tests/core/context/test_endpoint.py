"""An OpenAI-compatible endpoint as a writer: what is sent where, and what its failures mean to a person."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from core.context.endpoint import OpenAIWriter, key_from
from core.errors import AppError, MissingExtra
from tests.core.context.served import Served, served

pytest.importorskip("openai")
KEY = "sk-very-secret"


@pytest.fixture
def endpoint():
    with served() as state:
        yield state


def writer(endpoint: Served, key: str = KEY, **how: object) -> OpenAIWriter:
    return OpenAIWriter(endpoint.url, "tiny", key, **({"retries": 0} | how))


def test_an_answer_comes_back_as_the_endpoint_gave_it(endpoint):
    endpoint.says = " It is\nabout pumps. "
    assert writer(endpoint).write("Which?") == " It is\nabout pumps. "
    assert endpoint.asked == [
        {"path": "/v1/chat/completions", "model": "tiny", "messages": [{"role": "user", "content": "Which?"}]}
    ]
    assert endpoint.headers[0]["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("message", [{"role": "assistant", "content": None}, {"role": "assistant", "refusal": "No."}])
def test_a_model_that_says_nothing_answers_with_nothing(endpoint, message):
    endpoint.message = message
    assert writer(endpoint).write("Which?") == ""


def test_what_the_environment_holds_for_openai_is_not_sent_elsewhere(endpoint, monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "mine-alone")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: mine-alone\nX-Team: mine-alone")
    writer(endpoint, key="").write("Which?")
    writer(endpoint).write("Which?")
    assert "mine-alone" not in repr(endpoint.headers)
    assert endpoint.headers[1]["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("fault", "said", "do"),
    [
        ((401, {"error": {"message": f"Incorrect API key provided: {KEY}"}}), "does not accept the key", "valid"),
        ((403, {}), "does not accept the key", "valid"),
        (
            (404, {"error": {"message": "model 'tiny' not found"}}),
            "no model 'tiny'.*model 'tiny' not found",
            "end in /v1",
        ),
        ((400, {"error": {"message": f"too long for {KEY}\n!"}}), "refuses the request .“too long for … !”", "prompt"),
        ((422, {"detail": []}), "refuses the request", "prompt"),
        ((429, {"error": {"message": "slow down"}}), "wants fewer requests .“slow down”", "Wait a minute"),
        ((429, {"error": {"message": "no", "code": "insufficient_quota"}}), "nothing left to spend", "Top it up"),
        ((500, {"error": {"message": "out of memory"}}), "failed .“out of memory”", "kept"),
        ((503, "busy"), "failed", "kept"),
        ((307, {}), "sends us elsewhere", "where the endpoint really is"),
        ((200, {"choices": []}), "is no chat completion", "end in /v1"),
        ((200, {"choices": [{"message": {"content": [1]}}]}), "is no chat completion", "end in /v1"),
        ((200, ["x"]), "is no chat completion", "end in /v1"),
        ((200, {"error": "x"}), "is no chat completion", "end in /v1"),
        ("garbage", "is no chat completion", "end in /v1"),
        ("page", "is no chat completion", "end in /v1"),
    ],
)
def test_a_failure_says_what_happened_and_what_to_do_and_never_the_key(endpoint, fault, said, do):
    endpoint.faults = [fault]
    with pytest.raises(AppError, match=said) as failed:
        writer(endpoint).write("Which?")
    assert do in failed.value.do
    assert KEY not in str(failed.value)
    assert "\n" not in str(failed.value)
    assert len(endpoint.asked) == 1


def test_a_failure_that_passes_is_tried_again(endpoint):
    endpoint.faults = [(429, {}), (500, {})]
    assert writer(endpoint, retries=2).write("Which?") == "It is about pumps."
    assert len(endpoint.asked) == 3


def test_a_wrong_key_is_not_tried_again(endpoint):
    endpoint.faults = [(401, {})] * 3
    with pytest.raises(AppError):
        writer(endpoint, retries=2).write("Which?")
    assert len(endpoint.asked) == 1


def test_an_endpoint_that_wants_a_key_says_where_to_put_one(endpoint):
    endpoint.faults = [(401, {})]
    with pytest.raises(AppError, match=r"wants a key.*CHUNKSCOPE_API_KEY"):
        writer(endpoint, key="").write("Which?")


def test_an_endpoint_that_hangs_or_is_not_there_is_told(endpoint):
    endpoint.faults = ["hang"]
    with pytest.raises(AppError, match=r"no answer within 0.2 seconds"):
        writer(endpoint, timeout=0.2).write("Which?")
    endpoint.release.set()
    with pytest.raises(AppError, match=r"cannot be reached.*that the server runs"):
        OpenAIWriter("http://127.0.0.1:9/v1", "tiny", KEY, retries=0).write("Which?")


@pytest.mark.parametrize("key", ["two words", "línea", "a\nb", "a\0"])
def test_a_key_that_cannot_be_one_is_refused_without_showing_it(endpoint, key):
    with pytest.raises(AppError, match="a character that no key has") as refused:
        writer(endpoint, key=key)
    assert key not in str(refused.value)


def test_a_writer_does_not_show_its_key(endpoint):
    assert KEY not in repr(writer(endpoint))


# ── where a key comes from ───────────────────────────────────────────────────────────────────────

OWN = "https://api.openai.com/v1"


@pytest.mark.parametrize(
    ("environment", "base_url", "key"),
    [
        ({"OPENAI_API_KEY": " o "}, OWN, "o"),
        ({"OPENAI_API_KEY": "o"}, "https://eu.api.openai.com/v1", "o"),
        ({"OPENAI_API_KEY": "o", "CHUNKSCOPE_API_KEY": "c"}, OWN, "c"),
        ({"OPENAI_API_KEY": "o", "CHUNKSCOPE_API_KEY": "c"}, "http://other/v1", "c"),
        ({"OPENAI_API_KEY": "o"}, "http://other/v1", ""),
        ({"OPENAI_API_KEY": "o"}, "http://api.openai.com/v1", ""),
        ({"OPENAI_API_KEY": "o"}, "https://api.openai.com.evil.example/v1", ""),
        ({"OPENAI_API_KEY": "o"}, "https://evilapi.openai.com/v1", ""),
        ({"OPENAI_API_KEY": "o", "OPENAI_BASE_URL": "http://other/v1/"}, "http://other/v1", "o"),
        ({}, OWN, ""),
    ],
)
def test_openais_key_goes_to_openai_alone_or_where_the_environment_says(environment, base_url, key):
    assert key_from(environment, base_url) == key


# ── the package ──────────────────────────────────────────────────────────────────────────────────


def test_without_the_package_the_line_that_installs_it_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(MissingExtra, match=r"pip install 'chunkscope\[llm\]'"):
        OpenAIWriter(OWN, "tiny", KEY)


def test_the_package_is_not_loaded_before_it_is_needed():
    code = "import sys, core.context.endpoint, core.context.written, core.indexing; print('openai' in sys.modules)"
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=root, timeout=60, check=True
    )
    assert done.stdout.strip() == "False"
