import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { PageFile } from './page-files.ts';

/** A file in all its encodings. */
export interface EncodedFile {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  readonly gzip: Uint8Array;
  readonly br: Uint8Array;
  readonly version: string;
}

const inGzip = promisify(gzip);
const inBrotli = promisify(brotliCompress);

/** Within 4 % of the best compression in 1/13 of its time. */
const BROTLI_QUALITY = 9;

/** Compresses off the main thread. */
export async function encodeFile({ contentType, text }: PageFile): Promise<EncodedFile> {
  const bytes = Buffer.from(text);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
  };
  const [zipped, br] = await Promise.all([inGzip(bytes, { level: 9 }), inBrotli(bytes, { params })]);
  return {
    contentType,
    bytes,
    gzip: zipped,
    br,
    version: createHash('sha256').update(bytes).digest('hex').slice(0, 32),
  };
}
