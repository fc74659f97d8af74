import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { bookTables, carriersOfCatalog, createBookEvaluator, createStatusWriter, openBook } from '@leeward/books';
import { createCatalog, parseRequest } from '@leeward/engine';

/** Evaluates one book from its file to a Parquet file of statuses in a separate process, and prints time and memory. */

const [path, carriers, out] = process.argv.slice(2) as [string, string, string];
const asOf = new Date('2026-11-20T12:00:00Z');
const ruleSets = JSON.parse(readFileSync(carriers, 'utf8')) as unknown[];
const seconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
const begun = seconds();
const catalog = createCatalog(ruleSets.map((file) => ({ file })));
bookTables(catalog, { asOf, effectiveDate: '2026-11-20' });
const ready = seconds();
const source = await openBook(path);
const judge = createBookEvaluator({
  carriers: carriersOfCatalog(catalog),
  format: source.format,
  name: path,
  asOf,
  readRow: async (body) => {
    const parsed = parseRequest(body, { now: asOf });
    return parsed.ok ? { ok: true, property: parsed.request.property, warnings: parsed.request.warnings } : parsed;
  },
});
const file = openSync(out, 'w');
const keys = catalog.carriers.map(({ key }) => key);
const writer = await createStatusWriter({
  format: 'parquet',
  carrierKeys: keys,
  vocabulary: catalog.vocabulary,
  sink: (bytes) => void writeSync(file, bytes),
});
for await (const batch of source.batches({ isWanted: judge.isWanted })) writer.write(await judge.evaluate(batch));
await writer.end();
closeSync(file);
await source.close();
const { rows, rejected } = judge.counts();
const memory = process.resourceUsage().maxRSS / 1024;
console.log(
  JSON.stringify({ rows, rejected, starting: begun, preparing: ready - begun, judging: seconds() - ready, memory }),
);
