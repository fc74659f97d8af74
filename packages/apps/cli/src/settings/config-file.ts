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

/** What a configuration file says, by key. */
export interface ConfigFile {
  /** Absolute. */
  readonly folder: string;
  readonly entries: ReadonlyMap<string, FileEntry>;
}

/**
 * Reads a configuration file: one JSON object of settings by key, each a text, a number, a boolean or a list of texts;
 * null is as if it were not there. What cannot be used is added to the faults: file, line, value, way out.
 *
 * @throws {CommandError} for a file that cannot be read at all.
 */
export function readConfigFile(path: string, folder: string, keys: readonly string[], faults: string[]): ConfigFile {
  const absolute = resolve(folder, path);
  const name = nearPath(absolute, folder);
  let source: string;
  try {
    source = readFileSync(absolute, 'utf8');
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
  for (const [key, given] of Object.entries(value)) {
    const where = `${name}:${lineOf(`/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)}`;
    if (!keys.includes(key)) {
      const near = suggest(key, keys);
      const hint = near === undefined ? 'leeward config lists what there is' : `did you mean ${JSON.stringify(near)}?`;
      faults.push(`${where}: ${JSON.stringify(key.slice(0, 100))} is not a setting; ${hint}`);
      continue;
    }
    if (given === null) continue;
    const text = textOf(given);
    if (text === undefined) {
      faults.push(`${where}: ${key} is ${Array.isArray(given) ? 'a list of other things' : 'an object'}; give a text.`);
    } else if (text !== '') entries.set(key, { text, where });
  }
  return config;
}

function textOf(given: unknown): string | undefined {
  if (Array.isArray(given)) {
    return given.every((each) => typeof each === 'string') ? given.join(',') : undefined;
  }
  return typeof given === 'object' ? undefined : String(given);
}
