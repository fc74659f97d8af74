import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WayIntoPackage } from '../docs/ways-in.ts';

const PLACES = ['packages', 'test', 'examples', 'benchmarks', 'scripts', 'deploy', 'docs'];
const SPECIFIER = `['"]((?:@leeward/[\\w/-]+)|leeward)['"]`;
const NAMED = new RegExp(`(?:import|export)\\s+(?:type\\s+)?(?:\\w+,\\s*)?\\{([^}]*)\\}\\s*from\\s*${SPECIFIER}`, 'g');
const AWAITED = new RegExp(`\\{([^{}]*)\\}\\s*=\\s*await\\s+import\\(\\s*${SPECIFIER}`, 'g');
const MEMBER = new RegExp(`import\\(\\s*${SPECIFIER}\\s*\\)\\)?\\.(\\w+)`, 'g');
const NAMESPACE = new RegExp(`import\\s+(?:type\\s+)?\\*\\s+as\\s+(\\w+)\\s+from\\s*${SPECIFIER}`, 'g');

/**
 * The names that files outside a package import from it: other packages, tests, examples, benchmarks, scripts and guides.
 *
 * @returns `specifier name`, as in `@leeward/engine createCatalog`.
 */
export function importedNames(root: string, entries: readonly WayIntoPackage[]): Set<string> {
  const folders = new Map(entries.map(({ specifier, folder }) => [specifier, folder]));
  const imported = new Set<string>();
  const patterns = ['README.md', ...PLACES.map((place) => `${place}/**/*.{ts,tsx,js,mjs,md}`)];
  const files = globSync(patterns, { cwd: root, exclude: (name) => /(^|\/)(node_modules|dist|\.leeward)$/.test(name) });
  for (const file of files) {
    const path = join(root, file);
    const text = readFileSync(path, 'utf8');
    if (!text.includes('leeward')) continue;
    for (const [specifier, name] of importsIn(text)) {
      const folder = folders.get(specifier);
      if (folder !== undefined && !path.startsWith(`${folder}/`)) imported.add(`${specifier} ${name}`);
    }
  }
  return imported;
}

function importsIn(text: string): [specifier: string, name: string][] {
  const imports: [string, string][] = [];
  const addNames = (names: string, specifier: string) => {
    for (const each of names.split(',')) {
      const name = /^\s*(?:type\s+)?([\w$]+)/.exec(each)?.[1];
      if (name !== undefined) imports.push([specifier, name]);
    }
  };
  for (const [, names, specifier] of text.matchAll(NAMED)) addNames(names!, specifier!);
  for (const [, names, specifier] of text.matchAll(AWAITED)) addNames(names!, specifier!);
  for (const [, specifier, name] of text.matchAll(MEMBER)) imports.push([specifier!, name!]);
  for (const [, alias, specifier] of text.matchAll(NAMESPACE)) {
    for (const [, name] of text.matchAll(new RegExp(`\\b${alias}\\.(\\w+)`, 'g'))) imports.push([specifier!, name!]);
  }
  return imports;
}
