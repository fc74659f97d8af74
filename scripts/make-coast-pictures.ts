/**
 * Draws the ten places of `docs/coast-pictures.md` into `docs/coast-pictures/`, as `leeward coast near … --svg` does: the same bytes each time.
 *
 *     npx node --conditions=@leeward/source scripts/make-coast-pictures.ts [folder]
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { processTerminal, runCommandLine } from 'leeward';

/** File name, title, point, and definition of the coast. */
const places = [
  ['miami-beach', 'Miami Beach, Florida', 25.7826, -80.1341, 'tidal'],
  ['galveston', 'Galveston, Texas', 29.2858, -94.8203, 'tidal'],
  ['beaufort', 'Beaufort, South Carolina', 32.4335, -80.672, 'tidal'],
  ['new-york', 'City Hall, New York', 40.7128, -74.006, 'tidal'],
  ['seattle', 'Bellevue, Washington', 47.6144, -122.1923, 'tidal'],
  ['honolulu', 'Mānoa, Honolulu, Hawaii', 21.3099, -157.8106, 'tidal'],
  ['tampa', 'Tampa, Florida, to the open Gulf', 27.9506, -82.4572, 'ocean'],
  ['annapolis', 'Annapolis, Maryland, to the wide ocean', 38.9784, -76.4922, 'ocean_wide'],
  ['chicago', 'Oak Park, Illinois, to Lake Michigan', 41.885, -87.7845, 'great_lakes'],
  ['hatteras', 'Buxton on Hatteras, North Carolina', 35.2677, -75.5424, 'ocean'],
] as const;

const [folder = join(import.meta.dirname, '../docs/coast-pictures'), only] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
for (const [name, title, latitude, longitude, definition] of places) {
  if (only !== undefined && only !== name) continue;
  const file = resolve(folder, `${name}.svg`);
  const words = ['coast', 'near', String(latitude), String(longitude), '--coast', definition, '--title', title];
  const code = await runCommandLine([...words, '--svg', file], processTerminal());
  if (code !== 0) process.exitCode = code;
}
