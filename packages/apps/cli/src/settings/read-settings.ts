import { resolve } from 'node:path';
import type { Terminal } from '../terminal.ts';
import { placeCoastlines } from './coastline-names.ts';
import { type ConfigFile, readConfigFile } from './config-file.ts';
import { placeLines } from './line-names.ts';
import type { KnownSettings, Setting } from './setting.ts';
import { type SettingKey, type SettingValue, settingsTable } from './settings-table.ts';

/** What the command line says, by key of the setting. */
export type GivenOptions = Readonly<Partial<Record<SettingKey, string | undefined>>>;

/** Where a setting in force comes from. */
export type SettingSource = 'command line' | 'environment' | 'file' | 'default';

/** The text in force of one setting. */
export interface TextInForce {
  readonly text: string;
  readonly source: SettingSource;
  /** As one would look for it: `--port`, `PORT`, `leeward.json:3`, `default`. */
  readonly where: string;
}

export interface Settings {
  /** Of one setting; undefined where nobody said anything and there is no default. */
  inForce(key: SettingKey): TextInForce | undefined;
  /** … as its reader reads it. What is wrong with it is added to the faults, once, and it is undefined. */
  value<Key extends SettingKey>(key: Key): SettingValue<Key> | undefined;
  /**
   * The environment, and what the file sets beside it by the name of its variable: for readers that know variables
   * alone. A setting of theirs stands in the table, so that files may have it, and is read where it is used.
   */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

const keys = Object.keys(settingsTable) as SettingKey[];

/**
 * Settings of the command line, the environment and the file that `LEEWARD_CONFIG` names, in this order; an empty
 * text is none. Reads the file and nothing else. What is wrong with it is added to the faults.
 */
export function readSettings(
  { environment, folder }: Pick<Terminal, 'environment' | 'folder'>,
  faults: string[],
  { options = {}, demo = false }: { readonly options?: GivenOptions; readonly demo?: boolean } = {},
): Settings {
  const path = environment['LEEWARD_CONFIG'] || undefined;
  const file = path === undefined ? undefined : readConfigFile(path, folder, keys, faults);
  const known: KnownSettings = { demo, text: (key) => inForce(key as SettingKey)?.text };

  function inForce(key: SettingKey): TextInForce | undefined {
    const setting: Setting<unknown> = settingsTable[key];
    const { variable, option, usual } = setting;
    const said = options[key];
    if (said !== undefined) return { text: said, source: 'command line', where: option ?? key };
    const set = environment[variable];
    if (set) return { text: set, source: 'environment', where: variable };
    const entry = file?.entries.get(key);
    if (file && entry) return { text: placed(entry.text, setting, file), source: 'file', where: entry.where };
    const text = typeof usual === 'function' ? usual(known) : usual;
    return text === undefined ? undefined : { text, source: 'default', where: 'default' };
  }

  const fromFile: Record<string, string> = {};
  for (const key of keys) {
    const found = inForce(key);
    if (found?.source === 'file') fromFile[settingsTable[key].variable] = found.text;
  }
  const values = new Map<SettingKey, unknown>();
  return {
    inForce,
    value<Key extends SettingKey>(key: Key) {
      if (!values.has(key)) values.set(key, readValue(key, inForce(key), faults));
      return values.get(key) as SettingValue<Key> | undefined;
    },
    variables: { ...environment, ...fromFile },
  };
}

function readValue(key: SettingKey, found: TextInForce | undefined, faults: string[]): unknown {
  if (found === undefined) return undefined;
  try {
    return settingsTable[key].read(found.text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const name = found.source === 'file' ? `${found.where}: ${key}` : found.where;
    faults.push(`${name} ${error.message}`);
    return undefined;
  }
}

/** A relative path starts from the folder of the file that it stands in. */
function placed(text: string, { path }: Setting<unknown>, { folder }: ConfigFile): string {
  if (path === 'folder') return resolve(folder, text);
  if (path === 'coastlines') return placeCoastlines(text, folder).join(',');
  if (path === 'lines') return placeLines(text, folder);
  const relative = path === 'database' ? /^sqlite:(?!:memory:|\/)(.+)$/.exec(text)?.[1] : undefined;
  return relative === undefined ? text : `sqlite:${resolve(folder, relative)}`;
}
