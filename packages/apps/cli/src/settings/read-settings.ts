import { resolve } from 'node:path';
import type { Terminal } from '../terminal.ts';
import { placeCoastlines } from './coastline-names.ts';
import { type ConfigFile, readConfigFile } from './config-file.ts';
import { placeLines } from './line-names.ts';
import type { KnownSettings, Setting } from './setting.ts';
import { type SettingKey, type SettingValue, settingsTable } from './settings-table.ts';

/** Command-line options by key of the setting. */
export type GivenOptions = Readonly<Partial<Record<SettingKey, string | undefined>>>;

/** Source of an effective setting. */
export type SettingSource = 'command line' | 'environment' | 'file' | 'default';

/** The text in force of one setting. */
export interface TextInForce {
  readonly text: string;
  readonly source: SettingSource;
  /** As one would look for it: `--port`, `PORT`, `leeward.json:3`, `default`. */
  readonly where: string;
}

export interface Settings {
  /** The effective text of a setting. Undefined if unset and without default. */
  inForce(key: SettingKey): TextInForce | undefined;
  /** The parsed value. A fault is added to the list once, and the value is undefined. */
  value<Key extends SettingKey>(key: Key): SettingValue<Key> | undefined;
  /**
   * The environment and the values of the file by variable name, for readers that know variables only. Their settings
   * are in the table so that files may set them.
   */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

const keys = Object.keys(settingsTable) as SettingKey[];

/**
 * Settings of the command line, the environment and the file of `LEEWARD_CONFIG`, in this order. Empty texts count as
 * unset. Faults are added to the list.
 */
export function readSettings(
  { environment, folder }: Pick<Terminal, 'environment' | 'folder'>,
  faults: string[],
  { options = {}, demo = false }: { readonly options?: GivenOptions; readonly demo?: boolean } = {},
): Settings {
  const path = environment['LEEWARD_CONFIG'] || undefined;
  const file = path === undefined ? undefined : readConfigFile(path, folder, keys, faults);
  const earlier: KnownSettings = { demo, text: (key) => inForce(key as SettingKey)?.text };

  function inForce(key: SettingKey): TextInForce | undefined {
    const setting: Setting<unknown> = settingsTable[key];
    const { variable, option, usual } = setting;
    const optionText = options[key];
    if (optionText !== undefined) return { text: optionText, source: 'command line', where: option ?? key };
    const set = environment[variable];
    if (set) return { text: set, source: 'environment', where: variable };
    const entry = file?.entries.get(key);
    if (file && entry) return { text: placed(entry.text, setting, file), source: 'file', where: entry.where };
    const text = typeof usual === 'function' ? usual(earlier) : usual;
    return text === undefined ? undefined : { text, source: 'default', where: 'default' };
  }

  const fromFile: Record<string, string> = {};
  for (const key of keys) {
    const current = inForce(key);
    if (current?.source === 'file') fromFile[settingsTable[key].variable] = current.text;
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

function readValue(key: SettingKey, current: TextInForce | undefined, faults: string[]): unknown {
  if (current === undefined) return undefined;
  try {
    return settingsTable[key].read(current.text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const name = current.source === 'file' ? `${current.where}: ${key}` : current.where;
    faults.push(`${name} ${error.message}`);
    return undefined;
  }
}

/** A relative path starts from the folder of its file. */
function placed(text: string, { path }: Setting<unknown>, { folder }: ConfigFile): string {
  if (path === 'folder') return resolve(folder, text);
  if (path === 'coastlines') return placeCoastlines(text, folder).join(',');
  if (path === 'lines') return placeLines(text, folder);
  const relative = path === 'database' ? /^sqlite:(?!:memory:|\/)(.+)$/.exec(text)?.[1] : undefined;
  return relative === undefined ? text : `sqlite:${resolve(folder, relative)}`;
}

/** Lines of the setting; undefined if it is not set. */
export function lineNamesIn(settings: Settings): readonly string[] | undefined {
  return settings.inForce('lines')?.source === 'default' ? undefined : settings.value('lines');
}
