import { openBook } from '../open-book.ts';

/**
 * Reads a book in a separate process, whose memory can be limited and measured. Prints the rows or the error, and the peak of resident
 * memory in kB.
 */
const ended = await readRows(process.argv[2]!).catch((error: Error) => `${error.name}: ${error.message}`);
process.stdout.write(JSON.stringify({ ended, peak: process.resourceUsage().maxRSS }));

async function readRows(path: string): Promise<number> {
  const source = await openBook(path, { name: 'book' });
  let rows = 0;
  for await (const batch of source.batches()) rows += batch.rows;
  await source.close();
  return rows;
}
