import { pipeline, type Readable } from 'node:stream';
import { describeRecognized, openRows, type RowFile } from '@leeward/rows';
import { pick } from 'stream-json/filters/pick.js';
import { streamArray } from 'stream-json/streamers/stream-array.js';
import { AddressBookError } from '../address-book-error.ts';
import type { AddressInput, InputRow } from './address-input.ts';
import type { ColumnRole } from './columns.ts';
import type { InputOptions } from './input-options.ts';
import { finding, readHouse } from './read-house.ts';

/** One feature per line, as OpenAddresses writes them, also with gzip. */
export async function openFeatureLines(
  source: string | Readable,
  name: string,
  options: InputOptions,
): Promise<AddressInput> {
  const { signal } = options;
  const file: RowFile = await openRows(source, { name, format: 'ndjson', ...(signal ? { signal } : {}) });
  if (file.format !== 'ndjson') throw new AddressBookError(`${name} is not a list of features.`);
  const { rows } = file;
  return {
    format: 'open_addresses',
    endsWithinLine: () => false,
    bytesRead: file.bytesRead,
    recognized: () => describeRecognized(name, file.recognized()),
    close: file.close,
    rows: (async function* (): AsyncGenerator<InputRow> {
      for await (const { line, value, fault } of rows) {
        if (fault === undefined) yield rowOf(name, line, value, options);
        else yield { ...nothing(name, line), rejected: [{ code: fault.code, message: fault.message }] };
      }
    })(),
  };
}

/** One FeatureCollection, read feature by feature. */
export function openFeatureCollection(
  bytes: Readable,
  name: string,
  options: InputOptions,
  bytesRead: () => number,
): AddressInput {
  const features = pick.withParserAsStream({ filter: 'features' });
  const items = streamArray.asStream();
  pipeline(bytes, features, items, () => {});
  const { signal } = options;
  const onAbort = () => bytes.destroy(signal?.reason as Error);
  signal?.addEventListener('abort', onAbort, { once: true });
  return {
    format: 'open_addresses',
    endsWithinLine: () => false,
    bytesRead,
    recognized: () => [],
    close() {
      signal?.removeEventListener('abort', onAbort);
      bytes.destroy();
    },
    rows: (async function* (): AsyncGenerator<InputRow> {
      let row = 0;
      try {
        for await (const { value } of items as AsyncIterable<{ value: unknown }>) {
          row += 1;
          yield rowOf(name, row, value, options);
        }
      } catch (error) {
        signal?.throwIfAborted();
        throw new AddressBookError(
          `${name} cannot be read behind feature ${row} (${error instanceof Error ? error.message : error}): a whole FeatureCollection was expected. Was the download cut off?`,
          { cause: error },
        );
      }
    })(),
  };
}

function nothing(file: string, row: number): InputRow {
  return { file, row, houses: [], ranges: [], rejected: [], doubtful: [] };
}

/** Property names of OpenAddresses, and of its older CSV. */
const properties: Readonly<Record<ColumnRole, readonly string[]>> = {
  longitude: [],
  latitude: [],
  number: ['number', 'addr:housenumber', 'house_number'],
  street: ['street', 'addr:street'],
  address: ['address'],
  city: ['city', 'addr:city'],
  state: ['region', 'state', 'addr:state'],
  zip: ['postcode', 'zip', 'addr:postcode'],
  kind: ['accuracy', 'placement'],
  lifecycle: ['lifecycle'],
};

function rowOf(file: string, row: number, value: unknown, options: InputOptions): InputRow {
  const feature = recordOf(value);
  const geometry = recordOf(feature?.['geometry']);
  const members = recordOf(feature?.['properties']);
  if (feature === undefined || members === undefined || feature['type'] !== 'Feature') {
    return {
      ...nothing(file, row),
      rejected: [finding('malformed_row', 'a GeoJSON Feature with properties was expected')],
    };
  }
  const position =
    geometry?.['type'] === 'Point' && Array.isArray(geometry['coordinates']) ? geometry['coordinates'] : [];
  const fields = new Map(Object.entries(members).map(([key, text]) => [key.toLowerCase(), text]));
  const isOneLine = !properties.number.some((name) => fields.has(name));
  const read = readHouse((role) => {
    if (role === 'longitude') return textOf(position[0]);
    if (role === 'latitude') return textOf(position[1]);
    if (role === 'address' && !isOneLine) return '';
    const names = options.columns?.[role]?.map((name) => name.toLowerCase()) ?? properties[role];
    if (options.columns?.[role] !== undefined)
      return names
        .map((name) => textOf(fields.get(name)))
        .filter(Boolean)
        .join(' ');
    return names.map((name) => textOf(fields.get(name))).find((text) => text !== '') ?? '';
  }, options);
  return 'code' in read ? { ...nothing(file, row), rejected: [read] } : { ...nothing(file, row), houses: [read] };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
