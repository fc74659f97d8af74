import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Catalog, type CatalogEntry, type CatalogOptions, createCatalog, RuleSetError } from '@leeward/engine';
import { CommandError } from '../command-error.ts';
import { type FileFault, printFaults } from '../files/file-fault.ts';
import { type JsonFile, readJsonFile } from '../files/json-file.ts';
import { nearPath } from '../near-path.ts';

/** Rule-set files that cannot be used: every fault of every file. */
export class CarrierFilesError extends CommandError {
  readonly faults: readonly FileFault[];

  constructor(faults: readonly FileFault[]) {
    const files = new Set(faults.map(({ file }) => file)).size;
    super(`${count(faults.length, 'fault')} in ${count(files, 'rule-set file')}:\n\n${printFaults(faults)}`);
    this.faults = faults;
  }
}

/**
 * Builds a catalog from a folder of carriers: `<carrier>/rule-set.json`, `<carrier>/rule-set.<version>.json`, or JSON
 * files in the folder itself. Throws a `CarrierFilesError` with the faults of all files at once.
 */
export function readCatalog(carriers: string, folder: string, options: CatalogOptions = {}): Catalog {
  const faults: FileFault[] = [];
  const files = new Map<string, JsonFile>();
  for (const path of ruleSetPaths(resolve(folder, carriers), carriers)) {
    const name = nearPath(path, folder);
    const read = readJsonFile(name, readFileSync(path, 'utf8'));
    if ('value' in read) files.set(name, read);
    else faults.push(...read);
  }
  const entries: CatalogEntry[] = [...files.values()].map(({ file, value }) => ({ name: file, file: value }));
  try {
    const catalog = createCatalog(entries, options);
    if (faults.length === 0) return catalog;
  } catch (error) {
    if (!(error instanceof RuleSetError)) throw error;
    for (const { source, path, code, message } of error.faults) {
      faults.push({ file: source, line: files.get(source)?.lineOf(path), path, code, message });
    }
  }
  faults.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : (a.line ?? 0) - (b.line ?? 0)));
  throw new CarrierFilesError(faults);
}

/** Rule-set files in a folder of carriers, sorted; `cases.json` and the like are not. */
function ruleSetPaths(carriers: string, given: string): string[] {
  const stat = statSync(carriers, { throwIfNoEntry: false });
  if (stat?.isFile()) return [carriers];
  if (!stat) throw new CommandError(`There is no folder ${given}; name the one that holds your carriers.`);
  const paths: string[] = [];
  for (const entry of readdirSync(carriers, { withFileTypes: true })) {
    const path = join(carriers, entry.name);
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path)) if (/^rule-set(?:\..+)?\.json$/.test(name)) paths.push(join(path, name));
    } else if (entry.name.endsWith('.json') && entry.name !== 'cases.json') paths.push(path);
  }
  if (paths.length > 0) return paths.sort();
  throw new CommandError(`${given} holds no rule sets; a carrier is a folder with a rule-set.json in it.`);
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}
