import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Coast, createCoastBatch } from '@leeward/coast';
import { nearestCoastOfMany, type PlacePorts } from '@leeward/http/distance';
import { SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import { CommandError } from '../command-error.ts';
import { openResumableFile } from '../rows/resumable-file.ts';
import { openGeocoder } from '../serve/open-distances.ts';
import type { Terminal } from '../terminal.ts';
import { csvFormat, ndjsonFormat } from './batch-formats.ts';
import { openBatchHomes } from './batch-homes.ts';
import { formatSummary } from './batch-summary.ts';
import { distanceSettings } from './distance-settings.ts';
import { GeocoderOutage } from './find-home.ts';
import { openCoast, orSay } from './open-coast.ts';
import { runBatch } from './run-batch.ts';
import { readWithin } from './within.ts';

interface BatchOptions {
  readonly output?: string;
  readonly coast: string;
  readonly index?: string;
  readonly concurrency: string;
  readonly acceptCoarse?: boolean;
  readonly restart?: boolean;
  readonly json?: boolean;
  readonly within?: string;
}

/** Maximum wait for a rate-limited geocoder; batches are not interactive. */
const MAX_WAIT_MS = 600_000;

/** `leeward coast batch`: distance of each home of a file. */
export function coastBatchCommand(coast: Command, terminal: Terminal): void {
  coast
    .command('batch')
    .description('Compute the distance to the shore of every home in a file. A stopped run resumes.')
    .argument('<file>', 'CSV or NDJSON, its columns named address; line1, city, state, zipcode; or lat, lng')
    .option('--output <file>', 'answers, as CSV or where it ends in .ndjson as objects (default <file>.coast.csv)')
    .option('--coast <definition>', 'tidal, ocean, ocean_narrow, ocean_wide, great_lakes or mean_high_water', 'tidal')
    .option('--index <file>', 'an index or shoreline of one’s own (default the shipped coastline)')
    .option('--within <lengths>', 'also how likely the shore is within lengths, separated by commas: 1000ft,1mi,500m')
    .option('--concurrency <count>', 'addresses looked up at once', '8')
    .option('--accept-coarse', 'take ZIP codes’ places where a geocoder stays away, rather than stop')
    .option('--restart', 'begin anew, whatever an earlier run wrote')
    .option('--json', 'print the summary as JSON')
    .action((file: string, options: BatchOptions) => orSay(() => batch(file, options, terminal)));
}

async function batch(file: string, options: BatchOptions, terminal: Terminal): Promise<void> {
  const path = resolve(terminal.folder, file);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
    throw new CommandError(`There is no file ${file}; name a CSV or NDJSON file of homes.`, { exitCode: 2 });
  }
  const atOnce = Number(options.concurrency);
  if (!Number.isInteger(atOnce) || atOnce < 1 || atOnce > 256) {
    throw new CommandError(`--concurrency is ${JSON.stringify(options.concurrency)}; give a number from 1 to 256.`);
  }
  const within = readWithin(options.within);
  const output = options.output ?? `${file.replace(/\.(?:csv|tsv|txt|ndjson|jsonl)(?:\.gz)?$/i, '')}.coast.csv`;
  const settings = distanceSettings(terminal);
  const { columns, homes, recognized } = await openBatchHomes(path, file);
  const coast = openCoast(options.index, terminal);
  // Refuse an unanswerable definition before anything is written.
  nearestCoastOfMany(coast, new Float64Array(), new Float64Array(), createCoastBatch(0), options.coast);
  const formatOf = /\.(?:ndjson|jsonl)$/i.test(output) ? ndjsonFormat : csvFormat;
  const format = formatOf(coast, options.coast, columns, within);
  const { sha256, lines } = await fingerprint(path);
  const results = openResumableFile(resolve(terminal.folder, output), output, {
    identity: {
      input: sha256,
      coast: options.coast,
      coastline: coast.datasets.map(nameOf).join(', '),
      ...(options.within === undefined ? {} : { within: within.map(({ text }) => text).join(', ') }),
    },
    restart: options.restart ?? false,
    quoted: format.quoted,
  });
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const bar = terminal.columns === undefined ? undefined : progressBar(lines);
  try {
    const ports: PlacePorts = await openGeocoder(settings, { maxWaitMs: MAX_WAIT_MS });
    const { summary, resumedAt } = await runBatch({
      homes,
      format,
      results,
      ports,
      atOnce,
      acceptCoarse: options.acceptCoarse ?? false,
      signal: stopped.signal,
      onProgress: ({ line, homes: done, problems }) =>
        bar?.update(line, { homes: done.toLocaleString('en-US'), problems: problems.toLocaleString('en-US') }),
    });
    bar?.stop();
    results.finish();
    for (const sentence of recognized()) terminal.writeError(`${sentence}\n`);
    if (resumedAt > 0)
      terminal.writeError(`Went on behind ${resumedAt.toLocaleString('en-US')} homes of an earlier run.\n`);
    terminal.write(
      options.json ? `${JSON.stringify({ output, ...summary }, null, 2)}\n` : formatSummary(summary, output),
    );
    for (const { attribution } of coast.datasets) if (attribution !== '') terminal.writeError(`${attribution}\n`);
  } catch (error) {
    bar?.stop();
    results.keep();
    if (stopped.signal.aborted) throw new CommandError('Stopped. The same command goes on where it was.');
    if (!(error instanceof GeocoderOutage)) throw error;
    throw new CommandError(
      `Stopped before line ${error.line}: ${error.message} The same command goes on from there; with --accept-coarse, by ZIP codes.`,
    );
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

function nameOf({ name, version }: Coast['datasets'][number]): string {
  return `${name} ${version}`;
}

/** Identity of a file, and its approximate number of homes. */
async function fingerprint(path: string): Promise<{ readonly sha256: string; readonly lines: number }> {
  const hash = createHash('sha256');
  let lines = 0;
  let last: number | undefined;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) lines += 1;
    last = chunk.at(-1);
  }
  return { sha256: hash.digest('hex'), lines: last === 0x0a ? lines : lines + 1 };
}

function progressBar(lines: number): SingleBar {
  const format = '{bar} {percentage} % | {homes} homes, {problems} with a problem | {eta_formatted} left';
  const bar = new SingleBar({ format, hideCursor: true });
  bar.start(lines, 0, { homes: '0', problems: '0' });
  return bar;
}
