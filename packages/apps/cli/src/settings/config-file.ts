import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { suggest } from '@leeward/terms';
import { CommandError } from '../command-error.ts';
import { printFaults } from '../files/file-fault.ts';
import { readJsonFile } from '../files/json-file.ts';
import { nearPath } from '../near-path.ts';

/** One setting as a file has it. */
export interface FileEntry {
  readonly text: string;
  /** `leeward.json:3`. */
  readonly where: string;
}

/** The values of a configuration file, by key. */
export interface ConfigFile {
  /** Absolute. */
  readonly folder: string;
  readonly entries: ReadonlyMap<string, FileEntry>;
}

/**
 * Reads a configuration file: a JSON object of settings by key, each a text, number, boolean or list of texts. Null
 * counts as absent. Adds unusable entries to the faults: file, line, value, way out.
 *
 * @throws {CommandError} If the file cannot be read.
 */
export function readConfigFile(path: string, folder: string, keys: readonly string[], faults: string[]): ConfigFile {
  const absolute = resolve(folder, path);
  const name = nearPath(absolute, folder);
  let source: Uint8Array;
  try {
    source = readFileSync(absolute);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(
      `The configuration file ${name} cannot be read (${code}); see --config and LEEWARD_CONFIG.`,
      { exitCode: 2 },
    );
  }
  const entries = new Map<string, FileEntry>();
  const config = { folder: dirname(absolute), entries };
  const read = readJsonFile(name, source);
  if (!('value' in read)) {
    faults.push(printFaults(read).trimEnd());
    return config;
  }
  const { value, lineOf } = read;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    faults.push(`${name} is not a JSON object; give settings by key, as in { "port": 3000 }.`);
    return config;
  }
  for (const [key, entry] of Object.entries(value)) {
    const where = `${name}:${lineOf(`/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)}`;
    if (!keys.includes(key)) {
      const near = suggest(key, keys);
      const hint = near === undefined ? 'leeward config lists what there is' : `did you mean ${JSON.stringify(near)}?`;
      faults.push(`${where}: ${JSON.stringify(key.slice(0, 100))} is not a setting; ${hint}`);
      continue;
    }
    if (entry === null) continue;
    const text = textOf(entry);
    if (text === undefined) {
      faults.push(`${where}: ${key} is ${Array.isArray(entry) ? 'a list of other things' : 'an object'}; give a text.`);
    } else if (text !== '') entries.set(key, { text, where });
  }
  return config;
}

function textOf(entry: unknown): string | undefined {
  if (Array.isArray(entry)) {
    return entry.every((each) => typeof each === 'string') ? entry.join(',') : undefined;
  }
  return typeof entry === 'object' ? undefined : String(entry);
}
