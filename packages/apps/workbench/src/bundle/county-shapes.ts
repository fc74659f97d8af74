import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** `county-shapes.json`: the counties of the Census Bureau as TopoJSON (us-atlas). */
export function countyShapes(): ReadonlyMap<string, string> {
  const path = fileURLToPath(import.meta.resolve('us-atlas/counties-10m.json'));
  return new Map([['county-shapes.json', readFileSync(path, 'utf8')]]);
}
