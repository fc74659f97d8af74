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
 *     npm run surface                         a table of all entry points
 *     npm run surface -- --package coast      the names of one package that need work
 *     npm run surface -- --json               everything, as JSON
 *     npm run surface -- --write              drops what is done from the lists of exceptions
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { waysIntoPackages } from './docs/ways-in.ts';
import { importedNames } from './public-surface/importers.ts';
import { breaches, ratchetPath, readRatchet, readSurface, rules, shrinkRatchet } from './public-surface/surface.ts';

const root = resolve(import.meta.dirname, '..');
const { values } = parseArgs({
  options: { package: { type: 'string' }, json: { type: 'boolean' }, write: { type: 'boolean' } },
});

const surface = readSurface(root);
const imported = importedNames(root, waysIntoPackages(root));
const [undocumented, withoutExample, withoutDefault] = rules.map((rule) => breaches(surface, rule));
const rows = surface.map(({ specifier, names, unexportedRows }) => ({
  entryPoint: specifier,
  names: names.map(({ name }) => name),
  undocumented: undocumented?.[specifier] ?? [],
  unused: names.map(({ name }) => name).filter((name) => !imported.has(`${specifier} ${name}`)),
  withoutExample: withoutExample?.[specifier] ?? [],
  withoutDefault: withoutDefault?.[specifier] ?? [],
  unexportedRows,
  places: Object.fromEntries(names.map(({ name, place }) => [name, place])),
}));
const isOfPackage = (specifier: string, name: string) =>
  [name, `@leeward/${name}`].some((each) => specifier === each || specifier.startsWith(`${each}/`));

if (values.write) {
  for (const rule of rules) {
    const ratchet = shrinkRatchet(breaches(surface, rule), readRatchet(rule));
    writeFileSync(ratchetPath(rule), `${JSON.stringify(ratchet, null, 2)}\n`);
    console.log(`${rule}.json: ${Object.values(ratchet).flat().length} names`);
  }
} else if (values.json) {
  console.log(JSON.stringify(rows, null, 2));
} else if (values.package === undefined) {
  const counts = rows.map(({ entryPoint, places: _, ...lists }) => ({
    entryPoint,
    ...Object.fromEntries(Object.entries(lists).map(([key, names]) => [key, names.length])),
  })) as Record<string, string | number>[];
  const sum = (key: string) => counts.reduce((total, row) => total + Number(row[key]), 0);
  const keys = Object.keys(counts[0] ?? {}).slice(1);
  console.table([...counts, { entryPoint: 'all', ...Object.fromEntries(keys.map((key) => [key, sum(key)])) }]);
} else {
  for (const row of rows.filter(({ entryPoint }) => isOfPackage(entryPoint, values.package!))) {
    console.log(`${row.entryPoint}: ${row.names.length} names`);
    for (const name of row.undocumented) {
      console.log(`  undocumented${row.unused.includes(name) ? ', unused' : ''}: ${name} (${row.places[name]})`);
    }
    for (const name of row.unused.filter((each) => !row.undocumented.includes(each))) {
      console.log(`  documented, unused: ${name} (${row.places[name]})`);
    }
    for (const name of row.withoutExample) console.log(`  without @example: ${name} (${row.places[name]})`);
    for (const name of row.withoutDefault) console.log(`  without @default: ${name}`);
    for (const name of row.unexportedRows) console.log(`  in the README, not exported: ${name}`);
  }
}
