import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PackageFolder, packageFolders, packageGroups } from '../package-folders.ts';
import { sourceFile } from './import-graph.ts';

/**
 * The packages that each package may import: by name (`engine` allows every entry point) or by one entry point
 * (`places/counties`). Tests follow the same table.
 */
export const allowedImports: Readonly<Record<string, readonly string[]>> = {
  // core
  terms: [],
  'worker-pool': [],
  database: [],
  coast: [],
  'coastline-us': ['coast'],
  places: ['terms'],
  engine: ['terms', 'worker-pool', 'places/counties', 'places/extents'],
  quotes: ['terms', 'places/counties', 'database'],
  http: ['terms', 'engine', 'coast', 'coastline-us', 'places', 'quotes'],
  // extend
  rows: [],
  'address-book': ['places', 'rows'],
  lines: ['engine', 'authoring'],
  'coast-builder': ['coast'],
  'coast-picture': ['terms', 'coast', 'coastline-us', 'engine/compiled', 'places/zips', 'http/distance'],
  certificate: ['terms', 'engine', 'coast', 'coast-picture', 'places/zips', 'http'],
  authoring: ['terms', 'worker-pool', 'engine', 'places/counties', 'places/extents'],
  accounts: ['terms', 'places/counties', 'database'],
  registry: ['terms', 'accounts'],
  carriers: ['terms', 'quotes', 'places/counties', 'database'],
  'http-admin': [
    'terms',
    'worker-pool',
    'engine',
    'places',
    'quotes',
    'http',
    'accounts',
    'registry',
    'authoring',
    'lines',
  ],
  artifact: ['terms', 'engine', 'coast', 'places'],
  books: ['terms', 'engine', 'artifact', 'rows', 'places/counties'],
  mcp: ['terms', 'worker-pool', 'engine', 'http', 'authoring'],
  // apps
  workbench: [
    'terms',
    'worker-pool',
    'engine',
    'coast',
    'coastline-us',
    'places',
    'rows',
    'authoring',
    'artifact',
    'books/evaluate',
    'books/diff',
    'http/client',
    'http/decision',
  ],
  cli: [
    ...['terms', 'worker-pool', 'engine', 'coast', 'coastline-us', 'places', 'quotes', 'database', 'http'],
    ...[
      'rows',
      'artifact',
      'lines',
      'address-book',
      'coast-builder',
      'coast-picture',
      'certificate',
      'accounts',
      'registry',
      'authoring',
      'http-admin',
      'books',
      'carriers',
      'mcp',
      'workbench',
    ],
  ],
};

/** The package and entry point of a specifier: `@leeward/places/counties` → `places/counties`, `leeward` → `cli`. */
function targetOf(specifier: string): string | undefined {
  const match = /^(?:@leeward\/(.+)|leeward(\/.+)?)$/.exec(specifier);
  return match === null ? undefined : (match[1] ?? `cli${match[2] ?? ''}`);
}

/** Each import of another package that the table or the order of the groups forbids: `engine/src/a.ts imports …`. */
export function wallFaults(
  files: readonly { readonly package: string; readonly path: string; readonly imports: readonly string[] }[],
  folders: readonly PackageFolder[],
): string[] {
  const groupOf = new Map(folders.map(({ name, group }) => [name, packageGroups.indexOf(group)]));
  return files.flatMap(({ package: name, path, imports }) =>
    imports.flatMap((specifier) => {
      const target = targetOf(specifier);
      const owner = target?.split('/')[0];
      if (target === undefined || owner === undefined || owner === name) return [];
      const allowed = allowedImports[name] ?? [];
      const place = `${name}/src/${path} imports ${specifier}`;
      if ((groupOf.get(owner) ?? 0) > (groupOf.get(name) ?? 0))
        return [`${place}: ${folders.find((each) => each.name === owner)!.group} is above the group of ${name}`];
      const isAllowed = allowed.some((each) => target === each || target.startsWith(`${each}/`));
      return isAllowed ? [] : [`${place}: scripts/architecture/walls.ts does not allow it`];
    }),
  );
}

/** All TypeScript of all packages, tests included. */
export function readAllFiles(root: string) {
  return packageFolders(root).flatMap(({ name, path: at }) => {
    const folder = join(root, at, 'src');
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => sourceFile(name, path.replaceAll('\\', '/'), readFileSync(join(folder, path), 'utf8')));
  });
}
