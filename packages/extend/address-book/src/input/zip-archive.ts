import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { AddressBookError } from '../address-book-error.ts';

export interface ZipArchive {
  /** Without folders and files that operating systems add. */
  readonly paths: readonly string[];
  size(path: string): number;
  open(path: string): Promise<Readable>;
  /** Reads a whole file of up to 2 GB; `onUnpacked` is called every 16 MiB. */
  read(path: string, onUnpacked?: () => void): Promise<Uint8Array>;
  close(): void;
}

const MAX_WHOLE_BYTES = 2 ** 31 - 1;
/** Unpacked size that is always allowed. */
const FREE_UNPACKED_BYTES = 256 * 2 ** 20;
/** Maximum unpacked size per packed byte above that. Address tables reach about 20. */
const MAX_UNPACKING = 200;
const BYTES_A_PROGRESS = 16 * 2 ** 20;

/**
 * Opens a zip.
 *
 * @throws {AddressBookError} for a file that is not a zip or is truncated, and errors of the file system.
 */
export async function openZip(path: string, name: string): Promise<ZipArchive> {
  let zip: ZipFile;
  const entries = new Map<string, Entry>();
  try {
    zip = await promisify<string, yauzl.Options, ZipFile>(yauzl.open)(path, { lazyEntries: true, autoClose: false });
  } catch (error) {
    throw asZipError(error, name);
  }
  const failed = new Promise<never>((_, reject) => zip.on('error', reject));
  failed.catch(() => {});
  const listed = new Promise<void>((resolve) => {
    zip.on('end', resolve);
    zip.on('entry', (entry: Entry) => {
      if (!/\/$|^__MACOSX\/|\/\.|^\./.test(entry.fileName)) entries.set(entry.fileName, entry);
      zip.readEntry();
    });
    zip.readEntry();
  });
  try {
    await Promise.race([listed, failed]);
  } catch (error) {
    zip.close();
    throw asZipError(error, name);
  }
  const entryOf = (inner: string) => entries.get(inner)!;
  /** A member with more bytes than it declares is an error of the stream. */
  const open = async (inner: string) => {
    const { compressedSize, uncompressedSize } = entryOf(inner);
    if (uncompressedSize > FREE_UNPACKED_BYTES + MAX_UNPACKING * compressedSize)
      throw new AddressBookError(
        `${name}: ${inner} unpacks from ${compressedSize.toLocaleString('en-US')} bytes to ${uncompressedSize.toLocaleString('en-US')}, more than ${MAX_UNPACKING} times as many: unpack the zip and import its folder, if that is right.`,
      );
    return promisify<Entry, Readable>(zip.openReadStream.bind(zip))(entryOf(inner)).catch((error: unknown) => {
      throw asZipError(error, name);
    });
  };
  return {
    paths: [...entries.keys()],
    size: (inner) => entryOf(inner).compressedSize,
    open,
    async read(inner, onUnpacked) {
      if (entryOf(inner).uncompressedSize > MAX_WHOLE_BYTES) {
        throw new AddressBookError(`${name}: ${inner} is larger than 2 GB: unpack the zip and import its folder.`);
      }
      const stream = await open(inner);
      let unpacked = 0;
      stream.on('data', (chunk: Buffer) => {
        const before = Math.floor(unpacked / BYTES_A_PROGRESS);
        unpacked += chunk.length;
        if (Math.floor(unpacked / BYTES_A_PROGRESS) > before) onUnpacked?.();
      });
      return buffer(stream).catch((error: unknown) => {
        throw asZipError(error, name);
      });
    },
    close: () => zip.close(),
  };
}

function asZipError(error: unknown, name: string): unknown {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT' || !(error instanceof Error)) return error;
  return new AddressBookError(
    `${name} cannot be read as a zip (${error.message}): a whole zip was expected. Was the download cut off?`,
    { cause: error },
  );
}
