import { join, resolve } from 'node:path';
import { readSettings, type Settings } from '../settings/read-settings.ts';
import type { Terminal } from '../terminal.ts';

/** Stores of an instance, and the environment of its tokens. */
export interface StoreSettings {
  readonly dataFolder: string;
  /** `LEEWARD_DATABASE_URL`, default a file in the data folder. */
  readonly databaseUrl: string;
  /** `LEEWARD_ENVIRONMENT`: what tokens are made for. */
  readonly environment: string;
}

/** The settings that serving and administering share; what is wrong with them is added to the faults. */
export function storeSettings(
  terminal: Pick<Terminal, 'environment' | 'folder'>,
  usualEnvironment: string,
  faults: string[],
): StoreSettings {
  return readStoreSettings(readSettings(terminal, faults, { demo: usualEnvironment === 'demo' }), terminal.folder);
}

/** … out of settings that were read. */
export function readStoreSettings(settings: Settings, folder: string): StoreSettings {
  const dataFolder = resolve(folder, settings.value('data_dir') ?? '');
  const isUsual = settings.inForce('database_url')?.source === 'default';
  const databaseUrl = isUsual ? `sqlite:${join(dataFolder, 'leeward.sqlite')}` : settings.value('database_url');
  return { dataFolder, databaseUrl: databaseUrl ?? '', environment: settings.value('environment') ?? '' };
}
