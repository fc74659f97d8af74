import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waysIntoPackages } from '../docs/ways-in.ts';
import { type ExportedName, exportedNames } from './exported-names.ts';
import { readmeNames } from './readme-names.ts';

export interface EntryPoint {
  /** As an importer writes it: `@leeward/http/node`. */
  readonly specifier: string;
  readonly names: readonly (ExportedName & { readonly isExplained: boolean })[];
  /** Names in the README's section "Exports" that the entry point does not export. */
  readonly unexportedRows: readonly string[];
}

/** Names that do not meet a rule yet: entry point → names, sorted. The lists may only shrink. */
export type Ratchet = Readonly<Record<string, readonly string[]>>;

export const rules = ['undocumented', 'without-example', 'without-default'] as const;
export type Rule = (typeof rules)[number];

/** Entry points of low-level parts. Their README has a table of names; examples are not required. */
const lowLevel: readonly string[] = ['@leeward/engine/compiled', '@leeward/accounts/operations'];

const advice: Readonly<Record<Rule, string>> = {
  undocumented: 'explain it in the README (a row under "## Exports" is enough), or stop exporting it',
  'without-example': 'add an `@example` to its doc comment',
  'without-default': 'add `@default` to its doc comment, or a sentence that starts with "If omitted"',
};

/** Every entry point of every package, compared with the package's README. */
export function readSurface(root: string): EntryPoint[] {
  const entries = waysIntoPackages(root);
  const exported = exportedNames(
    root,
    entries.map(({ source }) => source),
  );
  const specifiers = new Set(entries.map(({ specifier }) => specifier));
  return entries.map(({ specifier, source, folder }) => {
    const path = join(folder, 'README.md');
    const { name: mainEntry } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name: string };
    const { mentioned, listed } = readmeNames(existsSync(path) ? readFileSync(path, 'utf8') : '', mainEntry);
    const own = listed.get(specifier) ?? new Set();
    const names = exported.get(source) ?? [];
    const isExported = new Set(names.map(({ name }) => name));
    const unknownEntries = specifier === mainEntry ? [...listed.keys()].filter((each) => !specifiers.has(each)) : [];
    return {
      specifier,
      names: names.map((each) => ({ ...each, isExplained: mentioned.has(each.name) || own.has(each.name) })),
      unexportedRows: [...[...own].filter((name) => !isExported.has(name)), ...unknownEntries],
    };
  });
}

/** The names that break a rule, by entry point. Entry points without any are left out. */
export function breaches(surface: readonly EntryPoint[], rule: Rule): Ratchet {
  const checked =
    rule === 'without-example' ? surface.filter(({ specifier }) => !lowLevel.includes(specifier)) : surface;
  const byEntry = checked.map(
    ({ specifier, names }) => [specifier, names.flatMap((each) => breachesOf(each, rule))] as const,
  );
  return Object.fromEntries(byEntry.filter(([, names]) => names.length > 0));
}

function breachesOf(each: EntryPoint['names'][number], rule: Rule): string[] {
  if (rule === 'undocumented') return each.isExplained ? [] : [each.name];
  // A name of another project is documented there.
  if (!each.isExplained || each.place === undefined) return [];
  if (rule === 'without-example') return each.kind === 'function' && !each.hasExample ? [each.name] : [];
  return each.withoutDefault.map((property) => `${each.name}.${property}`);
}

/**
 * Describes each difference: breaches that the ratchet does not list, and entries of the ratchet that are no longer
 * breaches.
 */
export function compareWithRatchet(actual: Ratchet, allowed: Ratchet, rule: Rule): string[] {
  const entries = [...new Set([...Object.keys(actual), ...Object.keys(allowed)])].sort();
  return entries.flatMap((entry) => {
    const now = actual[entry] ?? [];
    const before = allowed[entry] ?? [];
    return [
      ...now.filter((name) => !before.includes(name)).map((name) => `${entry} ${name}: ${advice[rule]}`),
      ...before
        .filter((name) => !now.includes(name))
        .map((name) => `${entry} ${name}: remove it from ${rule}.json (npm run surface -- --write)`),
    ];
  });
}

/**
 * The ratchet after a change. Drops names that are no longer breaches, and moves a listed name that changed its entry
 * point. Never adds
 * a breach.
 */
export function shrinkRatchet(actual: Ratchet, allowed: Ratchet): Ratchet {
  const moved = new Set(
    Object.entries(allowed).flatMap(([entry, names]) => names.filter((name) => !actual[entry]?.includes(name))),
  );
  const kept = Object.entries(actual).map(
    ([entry, names]) => [entry, names.filter((name) => allowed[entry]?.includes(name) || moved.has(name))] as const,
  );
  return Object.fromEntries(kept.filter(([, names]) => names.length > 0));
}

/**
 * The names that an entry point can stop exporting: no README explains them, no other package imports them, and no type of a
 * name that stays refers to them.
 *
 * @param isImported Returns true if a file outside the package imports the name from this entry point.
 */
export function droppableNames({ names }: EntryPoint, isImported: (name: string) => boolean): string[] {
  const byName = new Map(names.map((each) => [each.name, each]));
  const kept = new Set<string>();
  const keep = (name: string): void => {
    const exported = byName.get(name);
    if (exported === undefined || kept.has(name)) return;
    kept.add(name);
    exported.types.forEach(keep);
  };
  for (const { name, isExplained } of names) if (isExplained || isImported(name)) keep(name);
  return names.map(({ name }) => name).filter((name) => !kept.has(name));
}

export function ratchetPath(rule: Rule): string {
  return join(import.meta.dirname, `${rule}.json`);
}

export function readRatchet(rule: Rule): Ratchet {
  return JSON.parse(readFileSync(ratchetPath(rule), 'utf8')) as Ratchet;
}
