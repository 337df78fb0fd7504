"""Any OpenAI-compatible endpoint as a writer, over the ``openai`` package (an extra).

Nothing but the model's name and the prompt is sent: endpoints differ in what else they take.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from core.context.line import one_line
from core.errors import AppError, MissingExtra

TIMEOUT = 60.0
"""Seconds an answer may take."""

RETRIES = 2
"""How often a request is sent again that met a busy or failing endpoint; the package waits in between."""

_SAID = 200  # characters of what an endpoint says about an error
_AGAIN = "What was written is kept: start again to go on."
_ADDRESS = "Check the address (most end in /v1) and the model's name."


def key_from(environment: Mapping[str, str], base_url: str) -> str:
    """The key for an endpoint: ``CHUNKSCOPE_API_KEY``; for OpenAI itself also ``OPENAI_API_KEY``. Empty if there is none.

    Someone else's settings may name any endpoint, so OpenAI's key is never sent to another one but that which
    ``OPENAI_BASE_URL`` names.
    """
    key = environment.get("CHUNKSCOPE_API_KEY", "").strip()
    trusted = environment.get("OPENAI_BASE_URL", "").strip().rstrip("/")
    if not key and (_is_openai(base_url) or base_url.rstrip("/") == trusted):
        key = environment.get("OPENAI_API_KEY", "").strip()
    return key


def _is_openai(base_url: str) -> bool:
    parts = urlsplit(base_url)
    host = parts.hostname or ""
    return parts.scheme == "https" and (host == "api.openai.com" or host.endswith(".api.openai.com"))


class OpenAIWriter:
    """A model behind ``/chat/completions``. An endpoint that wants no ``key`` gets a meaningless one.

    Raises:
        MissingExtra: the package is not installed.
    """

    def __init__(
        self, base_url: str, model: str, key: str = "", *, timeout: float = TIMEOUT, retries: int = RETRIES
    ) -> None:
        try:
            import openai
        except ImportError:
            raise MissingExtra(
                "Writing context lines with a model needs the openai package.",
                "Install it: pip install 'chunkscope[llm]'",
            ) from None
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise AppError("The key for the endpoint holds a character that no key has.", "Copy it again.")
        self._model, self._base_url, self._key, self._timeout = model, base_url, key, timeout
        self._openai: Any = openai
        self._client: Any = openai.OpenAI(
            api_key=key or "none",
            base_url=base_url,
            timeout=timeout,
            max_retries=retries,
            http_client=openai.DefaultHttpxClient(follow_redirects=False),
        )
        if not _is_openai(base_url):
            self._client.organization = self._client.project = None
            self._client._custom_headers = {}  # those of OPENAI_CUSTOM_HEADERS, which may hold a key

    def __repr__(self) -> str:
        return f"OpenAIWriter({self._base_url!r}, {self._model!r})"

    def write(self, prompt: str) -> str:
        """The model's answer, untrusted; empty if it gives none.

        Raises:
            AppError: the endpoint cannot be reached, refuses, is too busy, or answers with something else.
        """
        asked = [{"role": "user", "content": prompt}]
        try:
            answer = self._client.chat.completions.create(model=self._model, messages=asked)
            content = answer.choices[0].message.content
        except self._openai.APIError as error:
            raise self._failure(error) from None
        except (ValueError, AttributeError, IndexError, TypeError):
            raise self._no_completion() from None
        if not isinstance(content, str | None):
            raise self._no_completion()
        return content or ""

    def _no_completion(self) -> AppError:
        return AppError(f"What {self._base_url} answers is no chat completion.", _ADDRESS)

    def _failure(self, error: Any) -> AppError:
        """What an error of the package means, and what to do; never with the key in it."""
        if isinstance(error, self._openai.APITimeoutError):
            return AppError(
                f"{self._base_url} gave no answer within {self._timeout:g} seconds.", f"Choose a faster model. {_AGAIN}"
            )
        if isinstance(error, self._openai.APIConnectionError):
            return AppError(f"{self._base_url} cannot be reached.", "Check the address, and that the server runs.")
        status, said = getattr(error, "status_code", 0), self._said(error)
        if status in (401, 403):
            return self._refused()
        if status == 404:
            return AppError(f"{self._base_url} has no model {self._model!r}, or is no such endpoint{said}.", _ADDRESS)
        if status == 429:
            return self._too_much(error, said)
        if status in (400, 413, 422):
            return AppError(
                f"{self._base_url} refuses the request{said}.", "Change the prompt, or choose another model."
            )
        if 300 <= status < 400:
            return AppError(f"{self._base_url} sends us elsewhere.", "Give the address where the endpoint really is.")
        if status >= 500:
            return AppError(f"{self._base_url} failed{said}.", _AGAIN)
        return self._no_completion()

    def _refused(self) -> AppError:
        if self._key:
            return AppError(f"{self._base_url} does not accept the key.", "Give one that is valid there.")
        own = "OPENAI_API_KEY" if _is_openai(self._base_url) else "CHUNKSCOPE_API_KEY"
        return AppError(f"{self._base_url} wants a key.", f"Set {own} in the environment, or give a key.")

    def _too_much(self, error: Any, said: str) -> AppError:
        if getattr(error, "code", None) == "insufficient_quota":
            return AppError(f"The account at {self._base_url} has nothing left to spend.", f"Top it up. {_AGAIN}")
        return AppError(f"{self._base_url} wants fewer requests{said}.", f"Wait a minute. {_AGAIN}")

    def _said(self, error: Any) -> str:
        """What the endpoint itself says, as an addition to a sentence."""
        body = error.body if isinstance(error.body, Mapping) else {}
        message = body.get("message")
        said = one_line(message) if isinstance(message, str) else ""
        if self._key:
            said = said.replace(self._key, "…")
        return f" (“{said[:_SAID].rstrip('. ')}”)" if said else ""
