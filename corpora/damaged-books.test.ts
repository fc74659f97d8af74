import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { testVolume } from '../test/support/test-volume.ts';
import { type Case, holdTo } from './hold-to.ts';
import type { BookToRead } from './read-books.program.ts';
import { faultOf, filesOf, readBooks } from './read-books.ts';

const work = mkdtempSync(join(tmpdir(), 'leeward-damaged-'));
afterAll(() => rmSync(work, { recursive: true }));

const pinned = join(import.meta.dirname, 'pinned');
/** Files of all types and encodings that are small enough to hit their structure. */
const MAX_BYTES = 20_000;

let state = Number(process.env['LEEWARD_SEED'] ?? 1);
function random(below: number): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
  return Math.floor((state / 0x8000_0000) * below);
}

/** Changes up to three bytes: bits, numbers that become large, or any. */
function damaged(whole: Buffer): Buffer {
  const bytes = Buffer.from(whole);
  for (let changes = 1 + random(3); changes > 0; changes--) {
    const at = random(bytes.length);
    bytes[at] = [0xff, 0x7f, bytes[at]! ^ (1 << random(8)), random(256)][random(4)]!;
  }
  return bytes;
}

it('books of others with changed bytes are read or refused by name, in time and in little memory', async () => {
  const pattern = /^(parquet-testing|arrow-testing)\/(?!.*fuzz).*\.(parquet|arrow_file|stream)$/;
  const files = filesOf(pinned, pattern)
    .map((file) => ({ file, whole: readFileSync(join(pinned, file)) }))
    .filter(({ whole }) => whole.length <= MAX_BYTES);
  expect(files.length).toBeGreaterThan(100);
  const books = Array.from({ length: testVolume(150) }, (_, index): BookToRead => {
    const { file, whole } = files[random(files.length)]!;
    const path = join(work, String(index));
    writeFileSync(path, damaged(whole));
    const isParquet = file.endsWith('.parquet');
    const format = isParquet ? 'parquet' : 'arrow';
    return { id: `${index} ${file}`, path, format, isStream: !isParquet && random(2) === 1 };
  });
  const outcomes = await readBooks(books);
  const cases = books.map((book): Case => ({ id: book.id, run: () => faultOf(book, outcomes.get(book.id)!) }));
  await holdTo('damaged-books', cases, { isWhole: true });
});
