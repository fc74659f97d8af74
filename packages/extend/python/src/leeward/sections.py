"""The file format: a WebAssembly module whose custom sections hold the parts of an artifact."""

from __future__ import annotations

import hashlib
import json
import zlib
from typing import Any

from .errors import ArtifactError

FORMAT = 1
"""Newest format that this package reads."""

_MAX_SECTION_BYTES = 1 << 30


def read_sections(data: bytes) -> dict[str, bytes]:
    """Returns the custom sections of an artifact by name. Checks the digest.

    :raises ArtifactError: if the data is no artifact, is incomplete, or was changed.
    """
    if data[:4] != b"\0asm":
        raise ArtifactError("not_an_artifact", "The file is not an artifact; give a file that `leeward compile` wrote.")
    sections: dict[str, bytes] = {}
    at = 8
    try:
        while at < len(data):
            start, kind = at, data[at]
            size, at = _leb128(data, at + 1)
            end = at + size
            if end > len(data):
                raise IndexError
            if kind == 0:
                length, at = _leb128(data, at)
                name, content = data[at : at + length].decode(), data[at + length : end]
                if name == "leeward.digest":
                    _check_digest(data[:start], content, end == len(data))
                sections[name] = content
            at = end
    except (IndexError, UnicodeDecodeError):
        raise ArtifactError("damaged_artifact", f"The artifact is incomplete or damaged near byte {at}; copy it again.") from None
    if "leeward.digest" not in sections:
        if any(name.startswith("leeward.") for name in sections):
            raise ArtifactError("damaged_artifact", "The artifact ends before its digest; copy it again.")
        raise ArtifactError("not_an_artifact", "The file is a WebAssembly module, but not one that `leeward compile` wrote.")
    return sections


def unpack(sections: dict[str, bytes], name: str) -> bytes:
    """Returns the content of a compressed section."""
    if name not in sections:
        raise ArtifactError("damaged_artifact", f"The artifact has no section {name}; compile it again.")
    stream = zlib.decompressobj(31)
    try:
        content = stream.decompress(sections[name], _MAX_SECTION_BYTES)
    except zlib.error as error:
        raise ArtifactError("damaged_artifact", f"Section {name} of the artifact is damaged ({error}).") from None
    if not stream.eof:
        raise ArtifactError("damaged_artifact", f"Section {name} of the artifact is incomplete or above 1 GiB.")
    return content


def read_manifest(sections: dict[str, bytes]) -> dict[str, Any]:
    """Returns the manifest. Checks that this package reads its format."""
    try:
        manifest = json.loads(unpack(sections, "leeward.manifest"))
        version = manifest["format"]
        made_by = manifest.get("made_by", "another version")
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ArtifactError("damaged_artifact", "The manifest of the artifact is not readable; compile it again.") from None
    if not isinstance(version, int) or version > FORMAT:
        message = f"The artifact has format {version}, made by {made_by}; this package reads up to {FORMAT}. Update it."
        raise ArtifactError("newer_artifact", message)
    return dict(manifest)


def _check_digest(before: bytes, digest: bytes, is_last: bool) -> None:
    if not is_last or hashlib.sha256(before).digest() != digest:
        raise ArtifactError("altered_artifact", "The artifact was changed after it was compiled: its digest differs. Compile it again.")


def _leb128(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
        if shift > 28:
            raise IndexError
