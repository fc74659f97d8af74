import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AddressBookError } from '../address-book-error.ts';
import type { AddressInput } from './address-input.ts';
import { openFeatureCollection, openFeatureLines } from './geojson-input.ts';
import type { InputOptions } from './input-options.ts';
import type { ShapefileParts } from './shapefile.ts';
import { openTableInput } from './table-input.ts';
import { openTigerInput } from './tiger-input.ts';
import { openZip, type ZipArchive } from './zip-archive.ts';

/** A file to import, not opened yet. */
export interface InputFile {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

const dataEnding = /\.(?:shp|zip|csv|tsv|txt|geojson|json|ndjson|jsonl)(?:\.gz)?$/i;

/**
 * The files that a path names: itself, or what a folder holds, in order of their names.
 *
 * Errors: `AddressBookError` for a folder without one that can be read; the file system's own errors.
 */
export async function listInputFiles(path: string): Promise<readonly InputFile[]> {
  const fileOf = async (each: string): Promise<InputFile> => {
    const { size, mtimeMs } = await stat(each);
    return { name: basename(each), path: each, bytes: size, modifiedMs: mtimeMs };
  };
  if (!(await stat(path)).isDirectory()) return [await fileOf(path)];
  const names = (await readdir(path)).filter((name) => dataEnding.test(name) && !/\.shp\..*xml$/i.test(name)).sort();
  if (names.length === 0) {
    throw new AddressBookError(
      `The folder ${basename(path)} holds nothing to import: .shp, .zip, .geojson or .csv were expected, packed with gzip or not.`,
    );
  }
  return Promise.all(names.map((name) => fileOf(join(path, name))));
}

/**
 * Opens a file of addresses by what it is, whatever it is called.
 *
 * Errors: `AddressBookError` and `RowFileError` for what is none; the file system's own errors.
 */
export async function openInput({ path, name }: InputFile, options: InputOptions): Promise<AddressInput> {
  if (/\.(?:dbf|shx|prj|cpg)$/i.test(name)) {
    throw new AddressBookError(`${name} is a part of a shapefile: name its .shp.`);
  }
  if (/\.shp$/i.test(name)) return openTigerInput(await partsBeside(path), name, options);
  const first = await headOf(createReadStream(path, { end: 3 }));
  if (first.length >= 4 && first.readUInt32BE(0) === 0x504b0304) return openZipped(path, name, options);
  if (/\.zip$/i.test(name)) {
    throw new AddressBookError(`${name} is no zip: its first bytes are not those of one. Was the download cut off?`);
  }
  if (first.length >= 4 && first.readUInt32BE(0) === 9994)
    return openTigerInput(await partsBeside(path), name, options);
  return openText(createReadStream(path, { highWaterMark: 1 << 18 }), name, options);
}

/** A text of addresses, packed with gzip or not: a table, features a line each, or one FeatureCollection. */
export async function openText(source: Readable, name: string, options: InputOptions): Promise<AddressInput> {
  const { head, stream, bytesRead, lastByte } = await peek(source);
  const isPacked = head[0] === 0x1f && head[1] === 0x8b;
  const opened = await openByContent(head, stream, isPacked, name, options, bytesRead);
  // What is packed tells by itself that it was cut.
  return { ...opened, endsWithinLine: () => !isPacked && lastByte() !== 0x0a && lastByte() !== 0x0d };
}

async function openByContent(
  head: Buffer,
  stream: Readable,
  isPacked: boolean,
  name: string,
  options: InputOptions,
  bytesRead: () => number,
): Promise<AddressInput> {
  const bytes = await unpackedHead(head);
  if (!isText(bytes)) {
    throw new AddressBookError(
      `${name} is no text, no zip and no shapefile: .shp, .zip, .geojson or .csv were expected, packed with gzip or not.`,
    );
  }
  const text = bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  if (!text.startsWith('{')) return openTableInput(stream, name, options);
  const firstLine = text.split('\n', 1)[0]!;
  if (isFeature(firstLine)) return openFeatureLines(stream, name, options);
  if (/"features"\s*:|"FeatureCollection"/.test(text)) {
    const features = isPacked ? pipeline(stream, createGunzip(), () => {}) : stream;
    return openFeatureCollection(features, name, options, bytesRead);
  }
  return openTableInput(stream, name, options);
}

/** A beginning without the control characters that no text has, in whatever encoding of eight bits; UTF-16 is told by its mark. */
function isText(head: Buffer): boolean {
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return true;
  return !head
    .subarray(0, 4_096)
    .some((byte) => byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte !== 0x1a && byte !== 0x1b));
}

/** The first line of a file that begins a Feature; it may be long, and its end not there yet. */
function isFeature(line: string): boolean {
  return /"type"\s*:\s*"Feature"/.test(line) && !/"type"\s*:\s*"FeatureCollection"/.test(line);
}

async function openZipped(path: string, name: string, options: InputOptions): Promise<AddressInput> {
  const zip = await openZip(path, name);
  try {
    const inner = chooseLayer(zip, name, options.layer);
    const label = `${name}:${inner}`;
    const opened = /\.shp$/i.test(inner)
      ? await openTigerInput(await partsWithin(zip, inner, options), label, options)
      : await openText(await zip.open(inner), label, options);
    return {
      ...opened,
      close() {
        opened.close();
        zip.close();
      },
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/** Files that OpenAddresses and others put beside their data. */
const besides = /(?:^|\/)(?:readme|license|licence|summary|metadata|schema)[^/]*$/i;

function chooseLayer(zip: ZipArchive, name: string, layer: string | undefined): string {
  const layers = zip.paths.filter((path) => dataEnding.test(path) && !besides.test(path) && !/\.zip$/i.test(path));
  if (layer !== undefined) {
    const named = layers.filter((path) => path === layer || path.endsWith(`/${layer}`));
    if (named.length === 1) return named[0]!;
    throw new AddressBookError(`${name} holds no layer ${JSON.stringify(layer)}; it holds ${listed(layers)}.`);
  }
  const [only] = layers;
  if (only === undefined) {
    throw new AddressBookError(
      `${name} holds no layer to import: .shp, .geojson or .csv were expected, not ${listed(zip.paths)}.`,
    );
  }
  if (layers.length > 1) {
    throw new AddressBookError(
      `${name} holds ${layers.length} layers, one was expected: ${listed(layers)}. Say which (layer).`,
    );
  }
  return only;
}

function listed(paths: readonly string[]): string {
  if (paths.length === 0) return 'nothing';
  return paths.length > 6 ? `${paths.slice(0, 6).join(', ')} …` : paths.join(', ');
}

async function partsBeside(path: string): Promise<ShapefileParts> {
  const stem = path.replace(/\.shp$/i, '');
  const part = async (ending: string): Promise<Buffer | undefined> => {
    for (const each of [`${stem}.${ending}`, `${stem}.${ending.toUpperCase()}`]) {
      const bytes = await readFile(each).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      });
      if (bytes !== undefined) return bytes;
    }
    return undefined;
  };
  return {
    shp: await readFile(path),
    dbf: await part('dbf'),
    prj: (await part('prj'))?.toString('utf8'),
    cpg: (await part('cpg'))?.toString('utf8'),
  };
}

async function partsWithin(
  zip: ZipArchive,
  shp: string,
  { onUnpacked }: Pick<InputOptions, 'onUnpacked'>,
): Promise<ShapefileParts> {
  const stem = shp.replace(/\.shp$/i, '').toLowerCase();
  const part = async (ending: string): Promise<Uint8Array | undefined> => {
    const found = zip.paths.find((path) => path.toLowerCase() === `${stem}.${ending}`);
    return found === undefined ? undefined : zip.read(found, onUnpacked);
  };
  const text = async (ending: string) => {
    const bytes = await part(ending);
    return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8');
  };
  return {
    shp: await zip.read(shp, onUnpacked),
    dbf: await part('dbf'),
    prj: await text('prj'),
    cpg: await text('cpg'),
  };
}

async function headOf(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The beginning of a stream, and the stream as though nothing had been read of it. */
async function peek(source: Readable): Promise<{
  readonly head: Buffer;
  readonly stream: Readable;
  readonly bytesRead: () => number;
  readonly lastByte: () => number | undefined;
}> {
  const iterator = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array | string>;
  let bytes = 0;
  let last: number | undefined;
  const next = async () => {
    const { done, value } = await iterator.next();
    if (done) return undefined;
    const chunk = Buffer.from(value as Uint8Array);
    bytes += chunk.length;
    last = chunk.at(-1) ?? last;
    return chunk;
  };
  const first = (await next()) ?? Buffer.alloc(0);
  async function* all(): AsyncGenerator<Buffer> {
    if (first.length > 0) yield first;
    for (let chunk = await next(); chunk !== undefined; chunk = await next()) yield chunk;
  }
  const stream = Readable.from(all(), { objectMode: false });
  stream.once('close', () => source.destroy());
  return { head: first, stream, bytesRead: () => bytes, lastByte: () => last };
}

/** What a beginning packed with gzip holds, as far as it goes. */
async function unpackedHead(head: Buffer): Promise<Buffer> {
  if (head[0] !== 0x1f || head[1] !== 0x8b) return head;
  const unpacked = Readable.from([head], { objectMode: false }).pipe(createGunzip());
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of unpacked) {
      chunks.push(chunk as Buffer);
      if (chunks.length > 4) break;
    }
  } catch {
    // Only the beginning is there: its end is missing, and not needed.
  }
  return Buffer.concat(chunks);
}
