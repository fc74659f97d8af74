import { BATCH_ANSWERED, type Coast, CoastError, compassPoint, createCoastBatch, formatDecimal } from '@leeward/coast';
import { nearestCoast, nearestCoastOfMany, writeDistance } from '@leeward/http/distance';
import type { RequestFault } from '@leeward/http/problem';
import { escapeFormula, readCells, writeCells } from '@leeward/rows';
import { METERS_PER_FOOT, METERS_PER_MILE } from '@leeward/terms';
import { CommandError } from '../command-error.ts';
import { describeRefusal } from '../describe-refusal.ts';
import type { PlacedHome } from './find-home.ts';
import { probabilitiesOf, type WithinLimit } from './within.ts';

export interface HomeOutcome {
  readonly precision?: string | undefined;
  readonly problem?: string | undefined;
  readonly warnings: readonly string[];
}

export interface BatchFormat {
  /** True if records may contain line breaks. */
  readonly quoted: boolean;
  readonly head: string;
  write(homes: readonly PlacedHome[]): { readonly text: string; readonly outcomes: readonly HomeOutcome[] };
  /** Reads the counts of the summary. */
  read(record: string): HomeOutcome;
}

const answerColumns = [
  'line',
  'distance_meters',
  'distance_feet',
  'distance_miles',
  'range_min_meters',
  'range_max_meters',
  'bearing_degrees',
  'compass_point',
  'coast_lat',
  'coast_lng',
  'home_lat',
  'home_lng',
  'location_source',
  'precision',
  'error_radius_meters',
  'matched_address',
  'attribution',
  'dataset',
  'dataset_version',
  'accuracy_meters',
  'warnings',
  'problem_code',
  'problem',
] as const;
type AnswerColumn = (typeof answerColumns)[number];

/** The columns of the file, then those of the answer. Homes are answered together. */
export function csvFormat(
  coast: Coast,
  definition: string,
  columns: readonly string[],
  within: readonly WithinLimit[] = [],
): BatchFormat {
  const likelyColumns = within.map(({ column }) => column);
  const conflict = columns.find((name) => [...answerColumns, ...likelyColumns].includes(name));
  if (conflict !== undefined) {
    throw new CommandError(
      `The file has a column ${JSON.stringify(conflict)}, which the answer writes too: rename it, or give an --output that ends in .ndjson.`,
    );
  }
  const at = (name: AnswerColumn) => columns.length + answerColumns.indexOf(name);
  return {
    quoted: true,
    head: `${writeCells([...columns, ...answerColumns, ...likelyColumns])}\n`,
    write(homes) {
      const answers = answerMany(coast, definition, homes);
      const records = homes.map((home, index) => {
        const cells = answers[index]!;
        const likely = likelyCells(coast, definition, home, within, cells.problem_code === undefined);
        return writeCells([...home.home.cells, ...answerColumns.map((name) => cells[name] ?? ''), ...likely]);
      });
      return { text: records.map((record) => `${record}\n`).join(''), outcomes: answers.map(outcomeOfCells) };
    },
    read(record) {
      const read = readCells(record.replace(/\r?\n$/, ''), ',');
      const cells = typeof read === 'string' ? [] : read;
      const cell = (name: AnswerColumn) => cells[at(name)] || undefined;
      return outcomeOfCells({
        precision: cell('precision'),
        problem_code: cell('problem_code'),
        warnings: cell('warnings'),
      });
    },
  };
}

/** Empty cells without an answer, or without probabilities of the coast. */
function likelyCells(
  coast: Coast,
  definition: string,
  { place }: PlacedHome,
  within: readonly WithinLimit[],
  isAnswered: boolean,
): readonly (string | number)[] {
  if (within.length === 0 || place === undefined || !isAnswered) return within.map(() => '');
  const answer = nearestCoast(coast, place, definition);
  const probabilities = probabilitiesOf(coast, place, definition, answer, within);
  return within.map((_, index) => probabilities?.[index]?.probability ?? '');
}

type AnswerCells = { readonly [Column in AnswerColumn]?: string | number | undefined };

function outcomeOfCells({ precision, problem_code, warnings }: AnswerCells): HomeOutcome {
  return {
    precision: precision as string | undefined,
    problem: problem_code as string | undefined,
    warnings: warnings === undefined ? [] : String(warnings).split(' '),
  };
}

function answerMany(coast: Coast, definition: string, homes: readonly PlacedHome[]): readonly AnswerCells[] {
  const batch = createCoastBatch(homes.length);
  // NaN without a location: skipped.
  const latitudes = Float64Array.from(homes, ({ place }) => place?.latitude ?? Number.NaN);
  const longitudes = Float64Array.from(homes, ({ place }) => place?.longitude ?? Number.NaN);
  nearestCoastOfMany(coast, latitudes, longitudes, batch, definition);
  return homes.map(({ home, place, problem }, index): AnswerCells => {
    if (problem !== undefined) return problemCells(home.line, problem);
    if (batch.statuses[index] !== BATCH_ANSWERED) {
      return problemCells(home.line, refusalOf(coast, place, definition));
    }
    const meters = batch.distancesMeters[index]!;
    const accuracyMeters = batch.accuraciesMeters[index]!;
    const azimuth = batch.azimuthsDegrees[index]!;
    const { name, version } = [...coast.datasets, ...coast.tidalWaters][batch.sources[index]!]!;
    const error = place.errorRadiusMeters;
    const warnings = place.warnings.map(({ code }) => code);
    if (batch.tidalRivers[index] === 1) warnings.push('tidal_river_possible');
    return {
      line: home.line,
      distance_meters: formatDecimal(meters, 1),
      distance_feet: formatDecimal(meters / METERS_PER_FOOT, 1),
      distance_miles: formatDecimal(meters / METERS_PER_MILE, 4),
      range_min_meters: formatDecimal(Math.max(0, batch.minimaMeters[index]! - error), 1),
      range_max_meters: formatDecimal(batch.maximaMeters[index]! + error, 1),
      bearing_degrees: formatDecimal(azimuth, 1) === '360.0' ? '0.0' : formatDecimal(azimuth, 1),
      compass_point: compassPoint(azimuth),
      coast_lat: batch.coastLatitudes[index]!.toFixed(6),
      coast_lng: batch.coastLongitudes[index]!.toFixed(6),
      home_lat: place.latitude,
      home_lng: place.longitude,
      location_source: place.source,
      precision: place.precision,
      error_radius_meters: place.errorRadiusMeters,
      matched_address: escapeFormula(place.matchedAddress ?? ''),
      attribution: escapeFormula(place.attribution ?? ''),
      dataset: name,
      dataset_version: version,
      accuracy_meters: formatDecimal(accuracyMeters, 1),
      ...(warnings.length === 0 ? {} : { warnings: warnings.join(' ') }),
    };
  });
}

function problemCells(line: number, { code, message }: RequestFault): AnswerCells {
  return { line, problem_code: code, problem: message };
}

/** Per home, the input and the HTTP response. */
export function ndjsonFormat(
  coast: Coast,
  definition: string,
  columns: readonly string[],
  within: readonly WithinLimit[] = [],
): BatchFormat {
  return {
    quoted: false,
    head: '',
    write(homes) {
      const records = homes.map(({ home, place, problem }): Record<string, unknown> => {
        const cells = Object.fromEntries(columns.map((name, index) => [name, home.cells[index] ?? '']));
        const input = { line: home.line, home: cells };
        if (problem !== undefined) return { ...input, problem };
        try {
          const answer = nearestCoast(coast, place, definition);
          const probabilities = probabilitiesOf(coast, place, definition, answer, within);
          return { ...input, answer: writeDistance(answer, place, definition, undefined, probabilities) };
        } catch (error) {
          if (!(error instanceof CoastError)) throw error;
          return { ...input, problem: faultOf(error) };
        }
      });
      return {
        text: records.map((record) => `${JSON.stringify(record)}\n`).join(''),
        outcomes: records.map(outcomeOfRecord),
      };
    },
    read: (record) => outcomeOfRecord(JSON.parse(record) as Record<string, unknown>),
  };
}

function outcomeOfRecord(record: Readonly<Record<string, unknown>>): HomeOutcome {
  const { answer, problem } = record as {
    readonly answer?: { readonly location: { readonly precision: string }; readonly warnings: readonly RequestFault[] };
    readonly problem?: RequestFault;
  };
  return {
    precision: answer?.location.precision,
    problem: problem?.code,
    warnings: answer?.warnings.map(({ code }) => code) ?? [],
  };
}

function refusalOf(coast: Coast, place: NonNullable<PlacedHome['place']>, definition: string): RequestFault {
  try {
    nearestCoast(coast, place, definition);
  } catch (error) {
    if (error instanceof CoastError) return faultOf(error);
    throw error;
  }
  return { path: '', code: 'outside_coverage', message: 'The data does not reach there.' };
}

function faultOf(error: CoastError): RequestFault {
  return { path: '/lat', code: error.code, message: describeRefusal(error) };
}
