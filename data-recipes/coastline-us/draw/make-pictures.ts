/**
 * Draws the pictures of the documentation.
 *
 *     node --conditions=@leeward/source data-recipes/coastline-us/draw/make-pictures.ts <folder>
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadCoastlineUs } from '@leeward/coastline-us';
import { drawBands, type View } from './draw-bands.ts';
import { encodePng } from './png.ts';

const VIEWS: Readonly<Record<string, View>> = {
  tampa: { west: -83.0, south: 27.35, east: -82.15, north: 28.15 },
  pamlico: { west: -77.3, south: 34.55, east: -75.3, north: 36.35 },
  galveston: { west: -95.4, south: 28.95, east: -94.3, north: 29.95 },
  'puget-sound': { west: -123.4, south: 46.95, east: -121.95, north: 48.75 },
  'san-francisco-bay': { west: -122.95, south: 37.25, east: -121.7, north: 38.25 },
  'new-york': { west: -74.4, south: 40.35, east: -73.3, north: 41.15 },
};

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder for the pictures.');
mkdirSync(folder, { recursive: true });
const coast = loadCoastlineUs();
for (const [name, view] of Object.entries(VIEWS)) {
  const png = encodePng(drawBands(coast, view, ['tidal', 'ocean'], 380));
  writeFileSync(join(folder, `${name}.png`), png);
  console.error(`${name}: ${png.length} bytes`);
}
