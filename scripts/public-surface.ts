/**
 * Shows what each entry point exports and which of its names the package's README explains.
 *
 * An entry point exports what its README explains, and nothing else. A README explains a name if the name is in backticks or in a
 * TypeScript block. Names that need no prose go into one section of the README, a table per entry point:
 *
 *     ## Exports
 *
 *     ### `@leeward/coast/points`
 *
 *     | name | what it is |
 *     |---|---|
 *     | `createPointIndex(points)`, `PointIndex` | Finds the nearest of bare points. |
 *
 * `test/public-surface.test.ts` fails for an exported name that the README does not explain, for a listed name that is not
 * exported, for an explained function without `@example`, and for an optional property of an explained `…Options` type without
 * `@default`. The files in `public-surface/` list the exceptions that remain. They only shrink.
 *
 * A name is "unused" if nothing outside the package imports it from this entry point, and "droppable" if moreover the README does
 * not explain it and no name that stays refers to it in its types.
 *
 *     npm run surface                         a table of all entry points
 *     npm run surface -- --package coast      the names of one package that need work
 *     npm run surface -- --json               all lists of names, as JSON
 *     npm run surface -- --write              drops what is done from the lists of exceptions
 */
import { writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { waysIntoPackages } from './docs/ways-in.ts';
import { importedNames } from './public-surface/importers.ts';
import {
  breaches,
  droppableNames,
  type EntryPoint,
  ratchetPath,
  readRatchet,
  readSurface,
  rules,
  shrinkRatchet,
} from './public-surface/surface.ts';

const root = resolve(import.meta.dirname, '..');
const { values } = parseArgs({
  options: { package: { type: 'string' }, json: { type: 'boolean' }, write: { type: 'boolean' } },
});
const surface = readSurface(root);

if (values.write) {
  for (const rule of rules) {
    const ratchet = shrinkRatchet(breaches(surface, rule), readRatchet(rule));
    writeFileSync(ratchetPath(rule), `${JSON.stringify(ratchet, null, 2)}\n`);
    console.log(`${rule}.json: ${Object.values(ratchet).flat().length} names`);
  }
} else {
  const entries = waysIntoPackages(root);
  const imported = importedNames(root, entries);
  const rows = surface.map((entry) => describeEntry(entry, (name) => imported.has(`${entry.specifier} ${name}`)));
  const ofPackage = new Set(
    entries.flatMap(({ specifier, folder }) => (basename(folder) === values.package ? [specifier] : [])),
  );
  const shown = values.package === undefined ? rows : rows.filter(({ entryPoint }) => ofPackage.has(entryPoint));
  if (shown.length === 0) throw new Error(`No folder of a package is called ${values.package}.`);
  if (values.json) console.log(JSON.stringify(shown, null, 2));
  else if (values.package === undefined) printCounts(shown);
  else shown.forEach(printNames);
}

type Row = ReturnType<typeof describeEntry>;

function describeEntry(entry: EntryPoint, isImported: (name: string) => boolean) {
  const names = entry.names.map(({ name }) => name);
  const [undocumented, withoutExample, withoutDefault] = rules.map(
    (rule) => breaches([entry], rule)[entry.specifier] ?? [],
  );
  return {
    entryPoint: entry.specifier,
    names,
    undocumented: undocumented!,
    unused: names.filter((name) => !isImported(name)),
    droppable: droppableNames(entry, isImported),
    withoutExample: withoutExample!,
    withoutDefault: withoutDefault!,
    unexportedRows: entry.unexportedRows,
    places: Object.fromEntries(entry.names.map(({ name, place }) => [name, place])),
  };
}

function printCounts(rows: readonly Row[]): void {
  const counts = rows.map(({ entryPoint, places: _, ...lists }) => ({
    entryPoint,
    ...Object.fromEntries(Object.entries(lists).map(([key, names]) => [key, names.length])),
  })) as Record<string, string | number>[];
  const sum = (key: string) => counts.reduce((total, row) => total + Number(row[key]), 0);
  const keys = Object.keys(counts[0] ?? {}).slice(1);
  console.table([...counts, { entryPoint: 'all', ...Object.fromEntries(keys.map((key) => [key, sum(key)])) }]);
}

function printNames(row: Row): void {
  console.log(`${row.entryPoint}: ${row.names.length} names`);
  const print = (label: string, names: readonly string[]) => {
    for (const name of names) console.log(`  ${label}: ${name}${row.places[name] ? ` (${row.places[name]})` : ''}`);
  };
  print('droppable', row.droppable);
  print(
    'undocumented',
    row.undocumented.filter((name) => !row.droppable.includes(name)),
  );
  print(
    'explained, not imported elsewhere',
    row.unused.filter((name) => !row.undocumented.includes(name)),
  );
  print('without @example', row.withoutExample);
  print('without @default', row.withoutDefault);
  print('listed in the README, not exported', row.unexportedRows);
}
