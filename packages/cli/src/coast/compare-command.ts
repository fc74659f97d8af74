import { compareCoasts, seededHomes } from '@leeward/coastline-us/compare';
import type { Command } from 'commander';
import { CommandError } from '../command-error.ts';
import type { Terminal } from '../terminal.ts';
import { openCoast, orSay } from './open-coast.ts';

interface CompareOptions {
  readonly homes: string;
  readonly seed: string;
  readonly coast: string;
  readonly json?: boolean;
}

/** `leeward coast compare`: what another coastline would change. */
export function coastCompareCommand(coast: Command, terminal: Terminal): void {
  coast
    .command('compare')
    .description('How far two coastlines differ near the shore, and how often that matters to a limit.')
    .argument('<a>', 'a file, or "us" for the shipped coastline')
    .argument('<b>', 'another')
    .option('--homes <count>', 'seeded homes to compare at', '2000')
    .option('--seed <number>', 'equal seeds give equal homes', '1')
    .option('--coast <definition>', 'what counts as coast', 'tidal')
    .option('--json', 'print as JSON')
    .action((a: string, b: string, options: CompareOptions) => orSay(() => compare(a, b, options, terminal)));
}

async function compare(a: string, b: string, options: CompareOptions, terminal: Terminal): Promise<void> {
  const homes = Number(options.homes);
  const seed = Number(options.seed);
  if (!Number.isInteger(homes) || homes < 1)
    throw new CommandError(`--homes is "${options.homes}"; give a whole number.`);
  const first = openCoast(a, terminal);
  const second = openCoast(b, terminal);
  const places = seededHomes(first, { count: homes, seed, definition: options.coast });
  const compared = compareCoasts(first, second, places, { definition: options.coast });
  if (options.json) {
    terminal.write(`${JSON.stringify(compared, null, 2)}\n`);
    return;
  }
  const meters = (value: number) => `${Math.round(value).toLocaleString('en-US')} m`;
  const lines = [
    `${compared.places} homes near the coast (${compared.skipped} beyond one of the two)`,
    `differ by ${meters(compared.medianMeters)} at the median, ${meters(compared.p95Meters)} at the 95th percentile, ${meters(compared.largestMeters)} at most`,
    ...compared.flips.map(
      ({ limit, flips, flaggedByFirst, flaggedBySecond }) =>
        `${limit}: ${flips} flips, of which ${a} flags ${flaggedByFirst} and ${b} ${flaggedBySecond}`,
    ),
    'worst:',
    ...compared.worst.map(
      ({ point, firstMeters, secondMeters }) =>
        `  ${point.latitude.toFixed(4)}, ${point.longitude.toFixed(4)}: ${meters(firstMeters)} and ${meters(secondMeters)}`,
    ),
  ];
  terminal.write(`${lines.join('\n')}\n`);
}
