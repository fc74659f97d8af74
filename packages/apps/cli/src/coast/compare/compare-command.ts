import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { seededHomes } from '@leeward/coast-builder/compare';
import type { Command } from 'commander';
import { readCatalog } from '../../carriers/carrier-files.ts';
import { CommandError } from '../../command-error.ts';
import { inOrder } from '../../rows/in-order.ts';
import { limitAtOnce } from '../../rows/limit-at-once.ts';
import { openGeocoder } from '../../serve/open-distances.ts';
import type { Terminal } from '../../terminal.ts';
import { type BatchHome, openBatchHomes } from '../batch-homes.ts';
import { distanceSettings } from '../distance-settings.ts';
import { createHomeFinder, type PlacedHome } from '../find-home.ts';
import { openCoast, orSay } from '../open-coast.ts';
import { compareHomes } from './compare-homes.ts';
import { comparisonCsv, comparisonJson, comparisonText } from './comparison-formats.ts';
import { type ComparedLimit, limitsOfCarriers, readLimits } from './limits.ts';

interface CompareOptions {
  readonly homes: string;
  readonly seed: string;
  readonly coast: string;
  readonly carriers?: string;
  readonly limit?: string;
  readonly format: string;
  readonly json?: boolean;
}

const USUAL_LIMITS = '1000ft,1mi,5mi';
const FORMATS = { text: comparisonText, json: comparisonJson, csv: comparisonCsv } as const;
const WINDOW = 256;
const AT_ONCE = 8;

/** `leeward coast compare`: which homes another coastline would put on the other side of a limit. */
export function coastCompareCommand(coast: Command, terminal: Terminal): void {
  coast
    .command('compare')
    .description('List homes that cross a carrier’s limit when one coastline replaces another.')
    .argument('<first>', 'a file, or "us" for the shipped coastline')
    .argument('<second>', 'another')
    .option(
      '--homes <file or count>',
      'CSV or NDJSON as of coast batch; or so many seeded homes near the shore',
      '2000',
    )
    .option('--carriers <folder>', 'hold the homes to the limits of these carriers’ rules in force today')
    .option(
      '--limit <lengths>',
      `hold them to lengths, separated by commas (default ${USUAL_LIMITS} without --carriers)`,
    )
    .option('--coast <definition>', 'what counts as coast for --limit', 'tidal')
    .option('--seed <number>', 'equal seeds give equal homes', '1')
    .option('--format <format>', 'text, json or csv', 'text')
    .option('--json', 'as --format json')
    .action((a: string, b: string, options: CompareOptions) => orSay(() => compare(a, b, options, terminal)));
}

async function compare(a: string, b: string, options: CompareOptions, terminal: Terminal): Promise<void> {
  const format = options.json ? 'json' : options.format;
  if (!Object.hasOwn(FORMATS, format)) {
    throw new CommandError(`--format is ${JSON.stringify(format)}; give ${Object.keys(FORMATS).join(', ')}.`);
  }
  const limits = limitsOf(options, terminal);
  const settings = distanceSettings(terminal);
  const [first, second] = [openCoast(a, terminal), openCoast(b, terminal)];
  const ports = await openGeocoder(settings);
  const { columns, homes } = /^\d+$/.test(options.homes)
    ? seeded(Number(options.homes), options, () => seededHomes(first, seedOptions(options)))
    : await ofFile(options.homes, terminal);
  const findHome = createHomeFinder({ ports, acceptCoarse: true, signal: new AbortController().signal });
  const inTurn = limitAtOnce(AT_ONCE);
  const placed = each(inOrder(homes, (home) => inTurn(() => findHome(home)), WINDOW));
  const comparison = await compareHomes(placed, { first, second, limits, gazetteer: ports.gazetteer });
  terminal.write(FORMATS[format as keyof typeof FORMATS](comparison, { first: a, second: b, columns }, terminal));
}

/**
 * Limits of named carriers and given limits.
 *
 * @throws {CommandError} If there are none.
 */
function limitsOf({ carriers, limit, coast }: CompareOptions, terminal: Terminal): ComparedLimit[] {
  const byHand = limit ?? (carriers === undefined ? USUAL_LIMITS : undefined);
  const limits = [
    ...(carriers === undefined
      ? []
      : limitsOfCarriers(readCatalog(carriers, terminal.folder), terminal.now().toISOString().slice(0, 10))),
    ...(byHand === undefined ? [] : readLimits(byHand, coast)),
  ];
  if (limits.length > 0) return limits;
  throw new CommandError(`No rule in force in ${carriers} tests a distance; name limits with --limit 1000ft,1mi.`);
}

function seedOptions({ homes, seed, coast }: CompareOptions) {
  const number = Number(seed);
  if (!Number.isInteger(number)) throw new CommandError(`--seed is ${JSON.stringify(seed)}; give a whole number.`);
  return { count: Number(homes), seed: number, definition: coast };
}

interface Homes {
  readonly columns: readonly string[];
  readonly homes: AsyncIterable<BatchHome>;
}

function seeded(count: number, { homes }: CompareOptions, make: () => ReturnType<typeof seededHomes>): Homes {
  if (count < 1) throw new CommandError(`--homes is ${JSON.stringify(homes)}; give one or more, or a file.`);
  const points = make();
  async function* all(): AsyncGenerator<BatchHome> {
    for (const [at, { latitude, longitude }] of points.entries()) {
      yield { line: at + 1, cells: [], request: { lat: latitude, lng: longitude } };
    }
  }
  return { columns: [], homes: all() };
}

async function ofFile(file: string, terminal: Terminal): Promise<Homes> {
  const path = resolve(terminal.folder, file);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
    throw new CommandError(`There is no file ${file}; name a CSV or NDJSON file of homes, or how many to seed.`, {
      exitCode: 2,
    });
  }
  return openBatchHomes(path, file);
}

async function* each(windows: AsyncIterable<readonly PlacedHome[]>): AsyncGenerator<PlacedHome> {
  for await (const window of windows) yield* window;
}
