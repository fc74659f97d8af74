/**
 * Writes `osm/us.conflation` for the two shipped shorelines, with the table of `accuracy-classes.json`. With a folder of truths it fits
 * the table first.
 *
 *     node --conditions=@leeward/source data-recipes/coastline-us/conflate/make-conflation.ts [folder of truths]
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AccuracyTable, encodeConflation } from '@leeward/coast';
import { conflationFile } from '@leeward/coastline-us';
import { readTruths } from '../measure/truth-shores.ts';
import { ACCURACY_CLASSES, fileClasses } from './classify-accuracy.ts';
import { collectErrors, fitClasses, readShores, type Shores } from './fit-classes.ts';

const TABLE_FILE = new URL('./accuracy-classes.json', import.meta.url);

export function conflate({ bytes, osm, gshhg, classes }: Shores, table: AccuracyTable): Uint8Array<ArrayBuffer> {
  const numbers = fileClasses(classes, { osm, gshhg });
  const hashOf = (file: Uint8Array) => createHash('sha256').update(file).digest('hex');
  return encodeConflation({
    version: `${osm.version}; ${gshhg.version}`,
    attribution: `${osm.attribution}; ${gshhg.attribution}`,
    method:
      'Errors against ten shorelines of other sources: 90 % (OSM) and 92 % (GSHHG) of places where the true shore is drawn',
    ...table,
    preferred: { name: osm.name, sha256: hashOf(bytes.osm), classes: numbers.osm },
    check: { name: gshhg.name, sha256: hashOf(bytes.gshhg), classes: numbers.gshhg },
  });
}

if (process.argv[1] === import.meta.filename) {
  const shores = readShores();
  const [truths] = process.argv.slice(2);
  if (truths !== undefined) {
    const { probabilities, classes } = fitClasses(collectErrors(shores, readTruths(truths)));
    const named = classes.map((row, number) => ({ name: ACCURACY_CLASSES[number], ...row }));
    writeFileSync(TABLE_FILE, `${JSON.stringify({ probabilities, classes: named }, undefined, 2)}\n`);
  }
  const bytes = conflate(shores, JSON.parse(readFileSync(TABLE_FILE, 'utf8')) as AccuracyTable);
  writeFileSync(conflationFile, bytes);
  const superseded = shores.classes.superseded.reduce((sum, is) => sum + is, 0);
  console.log(`${bytes.length} bytes, sha256 ${createHash('sha256').update(bytes).digest('hex')}`);
  console.log(`${superseded} of ${shores.gshhg.layers.length} vertices of GSHHG superseded`);
}
