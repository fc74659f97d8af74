import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { AddressBookError } from '../address-book-error.ts';

/** Files within a zip. */
export interface ZipArchive {
  /** Paths within the zip; folders and what systems add are left out. */
  readonly paths: readonly string[];
  size(path: string): number;
  open(path: string): Promise<Readable>;
  /** A whole file, of at most 2 GB. */
  read(path: string): Promise<Uint8Array>;
  close(): void;
}

const MAX_WHOLE_BYTES = 2 ** 31 - 1;

/**
 * Opens a zip.
 *
 * Errors: `AddressBookError` where it is none or cut off; the file system's own errors.
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
  const open = (inner: string) =>
    promisify<Entry, Readable>(zip.openReadStream.bind(zip))(entryOf(inner)).catch((error: unknown) => {
      throw asZipError(error, name);
    });
  return {
    paths: [...entries.keys()],
    size: (inner) => entryOf(inner).compressedSize,
    open,
    async read(inner) {
      if (entryOf(inner).uncompressedSize > MAX_WHOLE_BYTES) {
        throw new AddressBookError(`${name}: ${inner} is larger than 2 GB: unpack the zip and import its folder.`);
      }
      return buffer(await open(inner)).catch((error: unknown) => {
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
