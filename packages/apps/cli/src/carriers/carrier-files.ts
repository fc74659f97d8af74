import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inlineAreas } from '@leeward/authoring';
import {
  type Catalog,
  type CatalogEntry,
  checkEntriesWith,
  createCatalog,
  homeVocabulary,
  type Line,
  type RuleChecker,
  RuleSetError,
  syncChecker,
  type Vocabulary,
} from '@leeward/engine';
import { isObject } from '@leeward/terms';
import { CommandError } from '../command-error.ts';
import { areaReader } from '../files/area-reader.ts';
import { type FileFault, printFaults } from '../files/file-fault.ts';
import { type JsonFile, readJsonFile } from '../files/json-file.ts';
import { type KnownLines, knownLines, wordsOf } from '../lines/known-lines.ts';
import { nearPath } from '../near-path.ts';
import { isRuleSetName, misnamedRuleSet } from './rule-set-name.ts';

/** Every fault of every rule-set file. */
export class CarrierFilesError extends CommandError {
  readonly faults: readonly FileFault[];

  constructor(faults: readonly FileFault[]) {
    const files = new Set(faults.map(({ file }) => file)).size;
    super(`${count(faults.length, 'fault')} in ${count(files, 'rule-set file')}:\n\n${printFaults(faults)}`);
    this.faults = faults;
  }
}

/**
 * Builds a catalog from a folder of carriers: `<carrier>/rule-set.json`, `<carrier>/rule-set.<version>.json`, or JSON files. Reads the
 * requested line of several, or homes.
 *
 * @throws {CarrierFilesError} With the faults of all files.
 */
export function readCatalog(carriers: string, folder: string, lines: KnownLines = knownLines): Catalog {
  const files = readFiles(carriers, folder);
  const names = [...new Set(files.entries.map(({ file }) => lineOfFile(file)))];
  const line = lines.requested?.line ?? (names.length === 1 ? names[0]! : 'home');
  if (!names.includes(line) && names.length > 0) {
    const suggestions = names.filter((name) => lines.find(name)).map((name) => `--line ${name}`);
    const way =
      suggestions.length === 0 ? 'name another folder' : `give ${suggestions.join(' or ')}, or name another folder`;
    throw new CommandError(`${carriers} has no rule sets of the line ${line}; ${way}.`);
  }
  // Files of unknown lines are read too, to report them.
  const isMeant = ({ file }: CatalogEntry) => lineOfFile(file) === line || !lines.find(lineOfFile(file));
  try {
    const catalog = createCatalog(files.entries.filter(isMeant), { vocabulary: wordsOf(lines, line) });
    if (files.faults.length === 0) return catalog;
    throw new RuleSetError([]);
  } catch (error) {
    throw withAllFaults(error, files);
  }
}

export interface CatalogLines {
  /** Line to read. @default homes */
  readonly line?: Line;
  /** The vocabulary of homes. @default without the fields of files */
  readonly home?: Vocabulary;
  /** Lines whose files are skipped. */
  readonly others?: readonly Line[];
  /** Checks files; a service passes one on a thread. */
  readonly checker?: RuleChecker;
}

/** The catalog of one line, or of all lines that are not named. */
export async function openCatalog(
  carriers: string,
  folder: string,
  { line, home = homeVocabulary, others = [], checker = syncChecker }: CatalogLines = {},
): Promise<Catalog> {
  const files = readFiles(carriers, folder);
  const isMeant = ({ file }: CatalogEntry) =>
    line
      ? lineOfFile(file) === line.vocabulary.line
      : others.every((each) => lineOfFile(file) !== each.vocabulary.line);
  try {
    const options = { vocabulary: line?.vocabulary ?? home };
    const entries = await checkEntriesWith(checker, files.entries.filter(isMeant), options);
    const catalog = createCatalog(entries, options);
    if (files.faults.length === 0) return catalog;
    throw new RuleSetError([]);
  } catch (error) {
    throw withAllFaults(error, files);
  }
}

export function lineOfFile(file: unknown): string {
  const line = isObject(file) ? file['line'] : undefined;
  return typeof line === 'string' ? line : 'home';
}

interface ReadFiles {
  readonly entries: readonly CatalogEntry[];
  readonly byName: ReadonlyMap<string, JsonFile>;
  readonly faults: readonly FileFault[];
}

function readFiles(carriers: string, folder: string): ReadFiles {
  const faults: FileFault[] = [];
  const byName = new Map<string, JsonFile>();
  for (const path of ruleSetPaths(resolve(folder, carriers), carriers)) {
    const name = nearPath(path, folder);
    const misnamed = misnamedRuleSet(path);
    if (misnamed !== undefined) {
      faults.push({ file: name, line: undefined, path: '', code: 'file_name', message: misnamed });
      continue;
    }
    const read = readJsonFile(name, readFileSync(path));
    if (!('value' in read)) {
      faults.push(...read);
      continue;
    }
    const inlined = inlineAreas(read.value, areaReader(path));
    if (inlined.faults.length === 0) byName.set(name, { ...read, value: inlined.file });
    for (const fault of inlined.faults) faults.push({ file: name, line: read.lineOf(fault.path), ...fault });
  }
  return { entries: [...byName.values()].map(({ file, value }) => ({ name: file, file: value })), byName, faults };
}

/** Other errors are returned unchanged. */
function withAllFaults(error: unknown, { byName, faults }: ReadFiles): unknown {
  if (!(error instanceof RuleSetError)) return error;
  const all = [...faults];
  for (const { source, path, code, message } of error.faults) {
    all.push({ file: source, line: byName.get(source)?.lineOf(path), path, code, message });
  }
  all.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : (a.line ?? 0) - (b.line ?? 0)));
  return new CarrierFilesError(all);
}

/** Files next to rule sets that are not rule sets. */
const otherFiles: ReadonlySet<string> = new Set(['cases.json', 'fields.json']);

/** Sorted rule-set files, including misnamed ones; not `cases.json` and the like. */
function ruleSetPaths(carriers: string, folderName: string): string[] {
  const stat = statSync(carriers, { throwIfNoEntry: false });
  if (stat?.isFile()) return [carriers];
  if (!stat)
    throw new CommandError(`There is no folder ${folderName}; name the one that holds your carriers.`, { exitCode: 2 });
  const paths: string[] = [];
  for (const entry of readdirSync(carriers, { withFileTypes: true })) {
    const path = join(carriers, entry.name);
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path)) {
        if (isRuleSetName(name) || misnamedRuleSet(name)) paths.push(join(path, name));
      }
    } else if (entry.name.endsWith('.json') && !otherFiles.has(entry.name)) paths.push(path);
  }
  if (paths.length > 0) return paths.sort();
  throw new CommandError(`${folderName} has no rule sets; a carrier is a folder with a rule-set.json.`, {
    exitCode: 2,
  });
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}
