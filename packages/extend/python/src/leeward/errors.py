"""Errors of the package. Each has a `code` that programs can test, and a message with the way out."""

from __future__ import annotations

from typing import Any


class LeewardError(ValueError):
    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[type[LeewardError], tuple[Any, ...]]:
        return type(self), (self.code, str(self))


class ArtifactError(LeewardError):
    """An artifact cannot be used: `not_an_artifact`, `damaged_artifact`, `altered_artifact`, `newer_artifact`, `dates_not_covered`,
    `no_coast`, or `failed_vectors`."""


class TableError(LeewardError):
    """A table cannot be evaluated, whatever its rows contain: `missing_column`, `unknown_column`, `wrong_type`, `column_exists`, or
    `invalid_option`. The message lists all problems; `code` is that of the first."""
