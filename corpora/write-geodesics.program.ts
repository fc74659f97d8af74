// Writes `pinned/geographiclib/geodesics.txt.gz` with the installed GeodSolve.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { drawGeodesics } from './geodesics.ts';

const file = join(import.meta.dirname, 'pinned/geographiclib/geodesics.txt.gz');
writeFileSync(file, gzipSync(drawGeodesics(500, 1), { level: 9 }));
