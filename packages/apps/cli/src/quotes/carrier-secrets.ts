import { readFileSync } from 'node:fs';
import type { Secrets } from '@leeward/carriers';
import { CommandError } from '../command-error.ts';

/** Secrets come only from `CARRIER_…`, or the file that `CARRIER_…_FILE` names. Throws if the file cannot be read. */
export function carrierSecrets(environment: Readonly<Record<string, string | undefined>>): Secrets {
  return (name) => {
    if (!name.startsWith('CARRIER_')) return undefined;
    const file = environment[`${name}_FILE`];
    if (environment[name] || !file) return environment[name];
    try {
      return readFileSync(file, 'utf8').trimEnd();
    } catch (error) {
      const { code } = error as { code?: unknown };
      throw new CommandError(`${name}_FILE names ${JSON.stringify(file)}, which cannot be read (${String(code)}).`);
    }
  };
}
