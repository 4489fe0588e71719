"""coco-caption's tokenization: by its own Java tokenizer where that is installed, else by NLTK's Treebank rules.

The tool runs Stanford's PTB tokenizer over all captions, one a line, and drops a list of punctuation tokens. Here a
line break inside a caption is a space, so that it cannot shift the captions that follow, as it does in the tool. What
comes after a caption does not change its tokens, as it can in the tool.
"""

import re
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from manybleus.errors import ManybleusError
from manybleus.text import counted

# The tool's list. It has brackets in capitals, which its lower-casing leaves in: they stay tokens, as in the tool.
PUNCTUATION = frozenset(
    ["''", "'", "``", "`", "-LRB-", "-RRB-", "-LCB-", "-RCB-", ".", "?", "!", ",", ":", "-", "--", "...", ";"]
)
_BETWEEN = "a"
_LINE_BREAK = re.compile(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")


def tokenize(texts: Sequence[str], case: str) -> list[list[str]]:
    """Tokenize captions as coco-caption does, by the route that ``route`` names."""
    return _tokenize_in_java(texts, case) if _jar() else tokenize_in_python(texts, case)


def route() -> str:
    """Name the tokenizer that ``tokenize`` uses here: ``coco`` (the tool's) or ``coco-python``."""
    return "coco" if _jar() else "coco-python"


def tokenize_in_python(texts: Sequence[str], case: str) -> list[list[str]]:
    """Tokenize captions by NLTK's Treebank rules, and drop coco-caption's punctuation."""
    from nltk.tokenize import TreebankWordTokenizer

    treebank = TreebankWordTokenizer()
    return [_kept(treebank.tokenize(text, convert_parentheses=True), case) for text in texts]


def _tokenize_in_java(texts: Sequence[str], case: str) -> list[list[str]]:
    if not texts:
        return []
    options = ["-preserveLines", "-encoding", "UTF-8"] + (["-lowerCase"] if case == "lower" else [])
    command = ["java", "-cp", str(_jar()), "edu.stanford.nlp.process.PTBTokenizer", *options]
    # The tokenizer looks at how the next line begins: that is always the same here.
    lines = "".join(f"{_LINE_BREAK.sub(' ', text)}\n{_BETWEEN}\n" for text in texts)
    ran = subprocess.run(command, input=lines.encode(errors="replace"), capture_output=True, check=False)
    whole = ran.stdout.decode().split("\n")[:-1]
    found = whole[::2]
    if ran.returncode or len(found) != len(texts) or set(whole[1::2]) != {_BETWEEN}:
        raise ManybleusError(
            f"coco-caption's Java tokenizer gave {counted(len(whole), 'line')} for {counted(len(texts), 'caption')}; "
            f"use the tokenizer coco-python instead ({ran.stderr.decode(errors='replace').strip()[-200:]})"
        )
    # Its scorer splits at any white space: "1 1/2" is one token of the tokenizer, held together by a no-break space.
    return [[word for token in line.split(" ") if token not in PUNCTUATION for word in token.split()] for line in found]


def _kept(tokens: Sequence[str], case: str) -> list[str]:
    found = (token.lower() if case == "lower" else token for token in tokens)
    return [token for token in found if token not in PUNCTUATION]


@cache
def _jar() -> Path | None:
    """Where the Java tokenizer of an installed pycocoevalcap is, if Java is there too."""
    package = find_spec("pycocoevalcap")
    if package is None or not package.submodule_search_locations or shutil.which("java") is None:
        return None
    jars = sorted(Path(package.submodule_search_locations[0]).glob("tokenizer/stanford-corenlp-*.jar"))
    return jars[0] if jars else None
