"""Evaluates home insurance rules on Arrow tables, from one compiled artifact."""

from .artifact import STATUSES, Artifact, Evaluation
from .coast import CoastDistance
from .errors import ArtifactError, TableError
from .plan import Options

__version__ = "0.0.0"

__all__ = ["STATUSES", "Artifact", "ArtifactError", "CoastDistance", "Evaluation", "Options", "TableError"]
