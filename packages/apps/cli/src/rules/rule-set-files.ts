import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Finding, inlineAreas, writeFinding } from '@leeward/authoring';
import { checkRuleSet, type RuleSet, type Vocabulary } from '@leeward/engine';
import { isObject } from '@leeward/terms';
import { isRatingPlanName, isRuleSetName, misnamedRuleSet } from '../carriers/rule-set-name.ts';
import { areaReader } from '../files/area-reader.ts';
import { type JsonText, readJsonText } from '../files/json-text.ts';
import { type KnownLines, knownLines, linesBeside, wordsOf } from '../lines/known-lines.ts';
import { nearPath } from '../near-path.ts';
import { type LocatedFinding, locate } from './located-finding.ts';
import { WrongUse } from './wrong-use.ts';

/** A JSON file with the faults of its text. */
export interface JsonFile {
  readonly path: string;
  /** As its user would write it. */
  readonly name: string;
  readonly json: JsonText | undefined;
  readonly findings: readonly LocatedFinding[];
}

/** A checked rule-set file, or its faults. */
export interface RuleSetFile extends JsonFile {
  /** Present where there are no faults. */
  readonly ruleSet: RuleSet | undefined;
  /** The words of the line that it is of. */
  readonly vocabulary: Vocabulary;
}

const skipped = new Set(['node_modules', '.git']);

/**
 * The rule-set files of paths: a file itself; of a folder what a service would read of it as its folder of carriers, and every
 * rule set below. Misnamed ones are among them, so that `readRuleSet` reports them.
 */
export function findRuleSetFiles(paths: readonly string[], folder: string): string[] {
  const files = new Set<string>();
  for (const inputPath of paths) {
    const path = resolve(folder, inputPath);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) throw new WrongUse(`There is no file or folder ${inputPath}.`);
    if (!stat.isDirectory()) {
      files.add(path);
      continue;
    }
    const below = [...ruleSetsIn(path), ...ruleSetsBelow(path)];
    if (below.length === 0) throw new WrongUse(`${inputPath} has no rule-set.json.`);
    for (const each of below) files.add(each);
  }
  return [...files];
}

function ruleSetsBelow(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : ruleSetsBelow(path);
    return isRuleSetName(entry.name) || misnamedRuleSet(entry.name) ? [path] : [];
  });
}

/** Rule sets in the folder itself with other file names. A service reads them from its folder of carriers. */
function ruleSetsIn(folder: string): string[] {
  const names = readdirSync(folder).filter(
    (name) => name.endsWith('.json') && !isRuleSetName(name) && !isRatingPlanName(name),
  );
  return names
    .map((name) => join(folder, name))
    .filter((path) => {
      if (!statSync(path).isFile()) return false;
      const read = readJsonText(readFileSync(path));
      return (
        'json' in read && isObject(read.json.value) && 'carrier' in read.json.value && 'programs' in read.json.value
      );
    });
}

/** Rule-set files in the folder of a file, including it: versions of one carrier. */
export function ruleSetsBeside(path: string): string[] {
  const folder = dirname(path);
  const beside = readdirSync(folder)
    .filter(isRuleSetName)
    .map((name) => join(folder, name));
  return beside.includes(path) ? beside : [path];
}

export function casesBeside(path: string): string | undefined {
  const cases = join(dirname(path), 'cases.json');
  return existsSync(cases) ? cases : undefined;
}

export function readJson(path: string, folder: string): JsonFile {
  const name = nearPath(path, folder);
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new WrongUse(code === 'ENOENT' ? `There is no file ${name}.` : `${name} cannot be read (${code}).`);
  }
  const read = readJsonText(bytes);
  if ('json' in read) return { path, name, json: read.json, findings: [] };
  const findings = read.faults.map(({ line, column, ...fault }): LocatedFinding => {
    return { ...writeFinding({ ...fault, severity: 'fault' }), file: name, line, column };
  });
  return { path, name, json: undefined, findings };
}

/** Reads and checks a rule set, with the fields of `fields.json` next to it: all faults and warnings, each at its place. */
export function readRuleSet(path: string, folder: string, knowing: KnownLines = knownLines): RuleSetFile {
  const lines = linesBeside(path, knowing, folder);
  const { file, areaFaults } = readWithAreas(path, folder);
  const { json } = file;
  const written = json?.value;
  const vocabulary = wordsOf(lines, isObject(written) ? written['line'] : undefined);
  if (!json) return { ...file, ruleSet: undefined, vocabulary };
  const { ruleSet, faults, warnings } = checkRuleSet(written, { vocabulary });
  const misnamed = misnamedRuleSet(path);
  // The check reports areas in files that could not be read as files of a stranger.
  const isOther = ({ path: at }: { readonly path: string }) => !areaFaults.some((each) => each.path === at);
  const findings: Finding[] = [
    ...(misnamed === undefined ? [] : [{ code: 'file_name', path: '', message: misnamed, severity: 'fault' as const }]),
    ...areaFaults,
    ...faults.filter(isOther).map((fault) => ({ ...fault, severity: 'fault' as const })),
    ...warnings.map((warning) => ({ ...warning, severity: 'warning' as const })),
  ];
  return {
    ...file,
    ruleSet: areaFaults.length > 0 ? undefined : ruleSet,
    vocabulary,
    findings: findings.map((each) => locate(each, file.name, json)),
  };
}

/** Reads a rule-set file together with the files of its areas, which become part of its value. */
export function readWithAreas(
  path: string,
  folder: string,
): { readonly file: JsonFile; readonly areaFaults: readonly Finding[] } {
  const file = readJson(path, folder);
  if (!file.json) return { file, areaFaults: [] };
  const { file: value, faults } = inlineAreas(file.json.value, areaReader(path));
  return {
    file: { ...file, json: { ...file.json, value } },
    areaFaults: faults.map((fault) => ({ ...fault, severity: 'fault' })),
  };
}
