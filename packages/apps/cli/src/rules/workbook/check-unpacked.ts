import { promisify } from 'node:util';
import yauzl, { type Entry, type ZipFile } from 'yauzl';

/** Bytes that a workbook may unpack to: cells take some thirty times as much memory. A rule set of 1,000 rules has 2 MB. */
export const MAX_UNPACKED_BYTES = 32 * 2 ** 20;
/** Files within a workbook. */
const MAX_FILES = 1_000;

/**
 * Counts the unpacked bytes of a workbook without keeping them and regardless of declared sizes. Returns the fault, or
 * undefined. Files that are not zips are left to the reader.
 */
export async function checkUnpacked(bytes: Uint8Array): Promise<string | undefined> {
  let zip: ZipFile;
  try {
    zip = await promisify<Buffer, yauzl.Options, ZipFile>(yauzl.fromBuffer)(Buffer.from(bytes), { lazyEntries: true });
  } catch {
    return undefined;
  }
  const open = promisify<Entry, NodeJS.ReadableStream>(zip.openReadStream.bind(zip));
  let [files, unpacked] = [0, 0];
  try {
    for await (const entry of entriesOf(zip)) {
      files += 1;
      if (files > MAX_FILES) return `it has more than ${MAX_FILES.toLocaleString('en-US')} files within.`;
      if (entry.uncompressedSize > MAX_UNPACKED_BYTES - unpacked) return tooLarge;
      for await (const chunk of await open(entry)) {
        unpacked += (chunk as Buffer).length;
        if (unpacked > MAX_UNPACKED_BYTES) return tooLarge;
      }
    }
  } catch (error) {
    return `${(error as Error).message}.`;
  } finally {
    zip.close();
  }
  return undefined;
}

const tooLarge = `it unpacks to more than ${MAX_UNPACKED_BYTES.toLocaleString('en-US')} bytes. Keep the sheets of one rule set only, and delete empty rows and columns that have formats.`;

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  for (;;) {
    const next = new Promise<Entry | undefined>((resolve, reject) => {
      const settle = (entry: Entry | undefined) => {
        zip.removeAllListeners();
        resolve(entry);
      };
      zip
        .once('entry', settle)
        .once('end', () => settle(undefined))
        .once('error', reject);
    });
    zip.readEntry();
    const entry = await next;
    if (!entry) return;
    yield entry;
  }
}
