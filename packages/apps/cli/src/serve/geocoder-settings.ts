import { suggest } from '@leeward/terms';
import { geocoderSettingsTable } from '../settings/geocoder-settings-table.ts';
import type { Setting } from '../settings/setting.ts';

const onlineNames = ['census', 'nominatim', 'photon', 'pelias'] as const;
type OnlineName = (typeof onlineNames)[number];
const names = ['address_book', ...onlineNames, 'gazetteer'] as const;
type GeocoderName = (typeof names)[number];

export interface OnlineGeocoderSettings {
  readonly kind: OnlineName;
  readonly baseUrl: string;
  readonly timeoutMs: number;
  /** null: unlimited. */
  readonly requestsPerSecond: number | null;
  readonly userAgent: string | undefined;
  /** Secret. */
  readonly authorization: string | undefined;
  /** Secret. */
  readonly apiKey: string | undefined;
  readonly attribution: string | undefined;
}

/** In order of use; the gazetteer is last. */
export type GeocoderSettings = readonly ({ readonly kind: 'address_book' } | OnlineGeocoderSettings)[];

type ReadSetting = (name: string) => string | undefined;
type SettingKey = keyof typeof geocoderSettingsTable;

function textOf(key: SettingKey, setting: ReadSetting): string | undefined {
  const { variable, usual }: Setting<string> = geocoderSettingsTable[key];
  return setting(variable) ?? (typeof usual === 'string' ? usual : undefined);
}

/** Reads `LEEWARD_GEOCODERS` and others. Adds every fault: variable, value unless secret, way out. Ignores unused geocoders. */
export function geocoderSettings(setting: ReadSetting, faults: string[]): GeocoderSettings {
  const timeoutMs = readNumber('geocoder_timeout_ms', setting, faults, 1, 60_000, 'milliseconds from 1 to 60000');
  return readNames(setting, faults).flatMap((name) => {
    if (name === 'gazetteer') return [];
    return [name === 'address_book' ? { kind: name } : readOnline(name, timeoutMs, setting, faults)];
  });
}

function readNames(setting: ReadSetting, faults: string[]): readonly GeocoderName[] {
  const { variable } = geocoderSettingsTable.geocoders;
  const words = (textOf('geocoders', setting) ?? '').split(',').map((text) => text.trim().toLowerCase());
  const geocoderNames = words.filter((text) => text !== '');
  const unknown = geocoderNames.filter((text) => !isName(text));
  for (const text of unknown) {
    const near = suggest(text, names);
    const hint = near === undefined ? `give some of: ${names.join(', ')}.` : `did you mean ${near}?`;
    faults.push(`${variable} names ${JSON.stringify(text.slice(0, 60))}, which is not a geocoder; ${hint}`);
  }
  const twice = geocoderNames.find((text, index) => geocoderNames.indexOf(text) !== index);
  if (twice !== undefined) faults.push(`${variable} names ${JSON.stringify(twice.slice(0, 60))} twice; name it once.`);
  if (geocoderNames.includes('gazetteer') && geocoderNames.at(-1) !== 'gazetteer') {
    faults.push(`${variable} is ${JSON.stringify(geocoderNames.join(','))}; put gazetteer last: it has no streets.`);
  }
  return geocoderNames.filter(isName);
}

function isName(text: string): text is GeocoderName {
  return (names as readonly string[]).includes(text);
}

function readOnline(
  kind: OnlineName,
  timeoutMs: number,
  setting: ReadSetting,
  faults: string[],
): OnlineGeocoderSettings {
  const authorization =
    kind === 'nominatim' || kind === 'photon' ? readHeader(`${kind}_authorization`, setting, faults) : undefined;
  const apiKey = kind === 'pelias' ? textOf('pelias_api_key', setting) : undefined;
  const url = readUrl(kind, setting, faults);
  if (url?.protocol === 'http:' && (authorization ?? apiKey) !== undefined && !isLoopback(url.hostname)) {
    const { variable } = geocoderSettingsTable[`${kind}_url`];
    faults.push(`${variable} is an http: URL, over which its key would be read by others; give an https: URL.`);
  }
  const requestsPerSecond = readNumber(`${kind}_rate`, setting, faults, 0, 1_000, 'requests a second from 0 to 1000');
  const isPublicNominatim = kind === 'nominatim' && url?.hostname === 'nominatim.openstreetmap.org';
  if (isPublicNominatim && !(requestsPerSecond > 0 && requestsPerSecond <= 1)) {
    const { variable } = geocoderSettingsTable.nominatim_rate;
    faults.push(
      `${variable} is ${requestsPerSecond || 'no limit'}; the public server allows one request a second: give 1 or less, or a server of your own.`,
    );
  }
  return {
    kind,
    baseUrl: url?.href ?? '',
    timeoutMs,
    requestsPerSecond: requestsPerSecond === 0 ? null : requestsPerSecond,
    userAgent: kind === 'nominatim' ? readUserAgent(setting, faults) : undefined,
    authorization,
    apiKey,
    attribution: kind === 'pelias' ? textOf('pelias_attribution', setting) : undefined,
  };
}

/** Messages omit the URL, which may contain a password or key. */
function readUrl(kind: OnlineName, setting: ReadSetting, faults: string[]): URL | undefined {
  const { variable } = geocoderSettingsTable[`${kind}_url`];
  const text = textOf(`${kind}_url`, setting);
  if (text === undefined) {
    faults.push(`${variable} is needed where LEEWARD_GEOCODERS names ${kind}: give the server, https://host/path.`);
    return undefined;
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    faults.push(`${variable} is not an http: or https: URL; give the server, https://host/path.`);
    return undefined;
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    faults.push(`${variable} has more than a server and a path; keys have separate settings (leeward config).`);
  }
  return url;
}

function readUserAgent(setting: ReadSetting, faults: string[]): string | undefined {
  const { variable } = geocoderSettingsTable.nominatim_user_agent;
  const text = setting(variable);
  if (text === undefined || text.trim().length < 5) {
    const quotedValue =
      text === undefined ? 'is needed where LEEWARD_GEOCODERS names nominatim' : `is ${JSON.stringify(text)}`;
    faults.push(
      `${variable} ${quotedValue}: give the application and how to reach you, "example-agency/1.0 (me@example.com)".`,
    );
    return undefined;
  }
  if (isHeaderValue(text)) return text;
  faults.push(`${variable} holds characters that a header cannot; give plain ASCII on one line.`);
  return undefined;
}

function readHeader(
  key: 'nominatim_authorization' | 'photon_authorization',
  setting: ReadSetting,
  faults: string[],
): string | undefined {
  const { variable } = geocoderSettingsTable[key];
  const text = setting(variable);
  if (text === undefined || isHeaderValue(text)) return text;
  faults.push(`${variable} holds characters that a header cannot; give plain ASCII on one line.`);
  return undefined;
}

function isHeaderValue(text: string): boolean {
  return /^[\x20-\x7e]+$/.test(text);
}

function readNumber(
  key: 'geocoder_timeout_ms' | `${OnlineName}_rate`,
  setting: ReadSetting,
  faults: string[],
  min: number,
  max: number,
  what: string,
): number {
  const { variable } = geocoderSettingsTable[key];
  const text = textOf(key, setting) ?? '';
  const value = /^\d{1,9}(?:\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  faults.push(`${variable} is ${JSON.stringify(text.slice(0, 60))}; give ${what}.`);
  return min;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\./.test(host);
}
