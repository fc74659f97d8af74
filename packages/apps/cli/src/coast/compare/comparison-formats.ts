import { formatDecimal } from '@leeward/coast';
import { writeCells } from '@leeward/rows';
import { fittingTable } from '../../table/fitting-table.ts';
import type { Terminal } from '../../terminal.ts';
import type { Crossing, HomesComparison } from './compare-homes.ts';
import type { ComparedLimit } from './limits.ts';

/** Names for the output of a comparison. */
export interface ComparisonNames {
  readonly first: string;
  readonly second: string;
  /** The columns of the file of homes. */
  readonly columns: readonly string[];
}

/** Maximum number of homes listed in the text. CSV and JSON list all. */
const NAMED = 50;

export function comparisonText(
  comparison: HomesComparison,
  { first, second }: ComparisonNames,
  terminal: Pick<Terminal, 'columns' | 'inColor'>,
): string {
  const { homes, skipped, counts, crossings, unanswered, differences } = comparison;
  const lines = [`${count(homes, 'home')} compared, ${skipped.toLocaleString('en-US')} left out.`];
  for (const [definition, { median, p95, largest }] of differences) {
    lines.push(
      `${definition}: the distances differ by ${meters(median)} at the median, ${meters(p95)} at the 95th percentile, ${meters(largest)} at most.`,
    );
  }
  for (const [definition, message] of unanswered) lines.push(`${definition} is not compared: ${message}.`);
  const tested = counts.filter(({ homes: homeCount }) => homeCount > 0);
  if (tested.length > 0) {
    const head = [
      'carrier',
      'limit',
      'to',
      'homes',
      'come within',
      'go beyond',
      `undecided by ${first}`,
      `by ${second}`,
    ];
    const rows = tested.map(({ limit, homes: homeCount, enter, leave, undecidedByFirst, undecidedBySecond }) => {
      const numbers = [homeCount, enter, leave, undecidedByFirst, undecidedBySecond];
      const counted = numbers.map((each) => each.toLocaleString('en-US'));
      return [limit.carrierKey ?? '', limit.text, limit.definition, ...counted];
    });
    const aligns = head.map((_, place) => (place < 3 ? 'left' : 'right'));
    lines.push(fittingTable({ head, rows, aligns }, terminal));
  }
  if (crossings.length === 0) lines.push('No home crosses a limit.');
  else lines.push(`Homes that cross a limit by going from ${first} to ${second}:`);
  for (const crossing of crossings.slice(0, NAMED)) lines.push(`  ${crossingText(crossing)}`);
  if (crossings.length > NAMED) {
    lines.push(`  … and ${(crossings.length - NAMED).toLocaleString('en-US')} more; --format csv names them all.`);
  }
  return `${lines.join('\n')}\n`;
}

function crossingText({ line, latitude, longitude, limit, ruleIds, first, second }: Crossing): string {
  const whose = limit.carrierKey === undefined ? '' : ` of ${limit.carrierKey} (${ruleIds.join(', ')})`;
  const way = first.meters > second.meters ? 'comes within' : 'goes beyond';
  const doubt = [first.side === 'either' ? 'before' : '', second.side === 'either' ? 'now' : ''].filter(Boolean);
  const undecided = doubt.length === 0 ? '' : `, undecided ${doubt.join(' and ')}`;
  return `line ${line} (${latitude.toFixed(5)}, ${longitude.toFixed(5)}): ${meters(first.meters)} → ${meters(second.meters)}, ${way} ${limit.text}${whose}${undecided}`;
}

const CROSSING_COLUMNS = [
  'line',
  'home_lat',
  'home_lng',
  'carrier_key',
  'rule_ids',
  'coast_definition',
  'limit',
  'limit_meters',
  'first_meters',
  'second_meters',
  'first_side',
  'second_side',
] as const;

/** One row a crossing, behind the file's own columns. */
export function comparisonCsv({ crossings }: HomesComparison, { columns }: ComparisonNames): string {
  const rows = crossings.map((crossing) => [
    ...columns.map((_, at) => crossing.cells[at] ?? ''),
    ...CROSSING_COLUMNS.map((name) => cellOf(wireCrossing(crossing)[name])),
  ]);
  return [[...columns, ...CROSSING_COLUMNS], ...rows].map((cells) => `${writeCells(cells)}\n`).join('');
}

export function comparisonJson(comparison: HomesComparison, { first, second }: ComparisonNames): string {
  const { homes, skipped, counts, crossings, unanswered, differences } = comparison;
  const content = {
    first,
    second,
    homes,
    skipped,
    differences: Object.fromEntries(
      [...differences].map(([definition, { median, p95, largest }]) => [
        definition,
        { median_meters: median, p95_meters: p95, largest_meters: largest },
      ]),
    ),
    not_compared: Object.fromEntries(unanswered),
    limits: counts.map(({ limit, homes: homeCount, enter, leave, undecidedByFirst, undecidedBySecond }) => ({
      ...wireLimit(limit),
      homes: homeCount,
      come_within: enter,
      go_beyond: leave,
      undecided_by_first: undecidedByFirst,
      undecided_by_second: undecidedBySecond,
    })),
    crossings: crossings.map(wireCrossing),
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

function cellOf(value: unknown): string {
  return Array.isArray(value) ? value.join(' ') : String(value ?? '');
}

function wireLimit({ carrierKey, definition, text, meters: limitMeters }: ComparedLimit) {
  return {
    carrier_key: carrierKey ?? null,
    coast_definition: definition,
    limit: text,
    limit_meters: limitMeters,
  };
}

function wireCrossing({ line, latitude, longitude, limit, ruleIds, first, second }: Crossing): Record<string, unknown> {
  return {
    line,
    home_lat: latitude,
    home_lng: longitude,
    ...wireLimit(limit),
    rule_ids: ruleIds,
    first_meters: Number(formatDecimal(first.meters, 1)),
    second_meters: Number(formatDecimal(second.meters, 1)),
    first_side: first.side,
    second_side: second.side,
  };
}

function meters(value: number): string {
  return `${Math.round(value).toLocaleString('en-US')} m`;
}

function count(number: number, thing: string): string {
  return `${number.toLocaleString('en-US')} ${thing}${number === 1 ? '' : 's'}`;
}
