import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { drawPicture } from './architecture/draw-picture.ts';
import { readSources } from './architecture/import-graph.ts';

writeFileSync(resolve(import.meta.dirname, '../docs/architecture.svg'), drawPicture(readSources()));
