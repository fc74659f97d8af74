import { join, resolve } from 'node:path';
import type { Terminal } from '../terminal.ts';

/** Where an instance keeps things, and for which environment it makes tokens. */
export interface StoreSettings {
  readonly dataFolder: string;
  /** `LEEWARD_DATABASE_URL`, default a file in the data folder. */
  readonly databaseUrl: string;
  /** `LEEWARD_ENVIRONMENT`: what tokens are made for. */
  readonly environment: string;
}

/** The settings that serving and administering share; what is wrong with them is added to the faults. */
export function storeSettings(
  { environment, folder }: Pick<Terminal, 'environment' | 'folder'>,
  usualEnvironment: string,
  faults: string[],
): StoreSettings {
  const setting = (name: string) => environment[name] || undefined;
  const tokenEnvironment = setting('LEEWARD_ENVIRONMENT') ?? usualEnvironment;
  if (!/^[a-z0-9]{1,16}$/.test(tokenEnvironment)) {
    const given = JSON.stringify(tokenEnvironment);
    faults.push(`LEEWARD_ENVIRONMENT is ${given}; give 1 to 16 lower-case letters and digits, like live.`);
  }
  const dataFolder = resolve(folder, setting('LEEWARD_DATA_DIR') ?? '.leeward');
  const databaseUrl = setting('LEEWARD_DATABASE_URL') ?? `sqlite:${join(dataFolder, 'leeward.sqlite')}`;
  if (!/^(sqlite|postgres|postgresql):/.test(databaseUrl)) {
    faults.push('LEEWARD_DATABASE_URL begins with sqlite: or postgres:, and this one does not.');
  }
  return { dataFolder, databaseUrl, environment: tokenEnvironment };
}
