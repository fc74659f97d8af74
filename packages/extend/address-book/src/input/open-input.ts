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

export interface InputFile {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

const dataEnding = /\.(?:shp|zip|csv|tsv|txt|geojson|json|ndjson|jsonl)(?:\.gz)?$/i;

/**
 * Lists the file of a path, or a folder's files by name.
 *
 * @throws {AddressBookError} for a folder without a readable file, and errors of the file system.
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
      `The folder ${basename(path)} has no file to import. Supported are .shp, .zip, .geojson and .csv, also with gzip.`,
    );
  }
  return Promise.all(names.map((name) => fileOf(join(path, name))));
}

/**
 * Opens a file of addresses by its content.
 *
 * @throws {AddressBookError | RowFileError} for an unknown format, and errors of the file system.
 */
export async function openInput({ path, name }: InputFile, options: InputOptions): Promise<AddressInput> {
  if (/\.(?:dbf|shx|prj|cpg)$/i.test(name)) {
    throw new AddressBookError(`${name} is part of a shapefile: import its .shp.`);
  }
  if (/\.shp$/i.test(name)) return openTigerInput(await partsBeside(path), name, options);
  const first = await headOf(createReadStream(path, { end: 3 }));
  if (first.length >= 4 && first.readUInt32BE(0) === 0x504b0304) return openZipped(path, name, options);
  if (/\.zip$/i.test(name)) {
    throw new AddressBookError(`${name} is not a zip file. The download may be incomplete.`);
  }
  if (first.length >= 4 && first.readUInt32BE(0) === 9994)
    return openTigerInput(await partsBeside(path), name, options);
  return openText(createReadStream(path, { highWaterMark: 1 << 18 }), name, options);
}

/** Opens a text, also with gzip: a table, one feature per line, or a FeatureCollection. */
export async function openText(source: Readable, name: string, options: InputOptions): Promise<AddressInput> {
  const { head, stream, bytesRead, lastByte } = await peek(source);
  const isPacked = head[0] === 0x1f && head[1] === 0x8b;
  const opened = await openByContent(head, stream, isPacked, name, options, bytesRead);
  // gzip detects truncation.
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
      `${name} is not a text, zip or shapefile. Supported are .shp, .zip, .geojson and .csv, also with gzip.`,
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

/** True without control characters, in any eight-bit encoding; UTF-16 needs its byte order mark. */
function isText(head: Buffer): boolean {
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return true;
  return !head
    .subarray(0, 4_096)
    .some((byte) => byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte !== 0x1a && byte !== 0x1b));
}

/** True for the first line of one-feature-per-line files; the line may be incomplete. */
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

/** Files that OpenAddresses and others add. */
const besides = /(?:^|\/)(?:readme|license|licence|summary|metadata|schema)[^/]*$/i;

function chooseLayer(zip: ZipArchive, name: string, layer: string | undefined): string {
  const layers = zip.paths.filter((path) => dataEnding.test(path) && !besides.test(path) && !/\.zip$/i.test(path));
  if (layer !== undefined) {
    const matches = layers.filter((path) => path === layer || path.endsWith(`/${layer}`));
    if (matches.length === 1) return matches[0]!;
    throw new AddressBookError(`${name} has no layer ${JSON.stringify(layer)}; it has ${listed(layers)}.`);
  }
  const [only] = layers;
  if (only === undefined) {
    throw new AddressBookError(
      `${name} has no layer to import. Supported are .shp, .geojson and .csv; it has ${listed(zip.paths)}.`,
    );
  }
  if (layers.length > 1) {
    throw new AddressBookError(`${name} has ${layers.length} layers: ${listed(layers)}. Choose one (layer).`);
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
    const match = zip.paths.find((path) => path.toLowerCase() === `${stem}.${ending}`);
    return match === undefined ? undefined : zip.read(match, onUnpacked);
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

/** Reads the first chunk of a stream, and returns a stream with it. */
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
    // The chunk is incomplete: its end is not needed.
  }
  return Buffer.concat(chunks);
}
