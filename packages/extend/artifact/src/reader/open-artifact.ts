import { checkDate, dateInZone, quoteValue } from '@leeward/terms';
import { type CoastKernel, type CoastLayer, createCoastKernel } from '../coast/create-coast-kernel.ts';
import { ArtifactError } from '../format/artifact-error.ts';
import { type ArtifactFile, COAST, readArtifact } from '../format/artifact-file.ts';
import { gunzip } from '../format/compression.ts';
import type { Manifest } from '../format/manifest.ts';
import { damaged } from '../format/sections.ts';
import { createKernel, type Kernel } from '../kernel/create-kernel.ts';
import {
  type Artifact,
  artifactStatuses,
  type CoastDistance,
  type EvaluateOptions,
  type Evaluation,
} from './artifact.ts';
import { type ArtifactColumns, type NamedColumns, nameColumns } from './artifact-columns.ts';
import { checkVectors } from './check-vectors.ts';
import { imageInputs } from './image-inputs.ts';
import { type PairReasons, reasonsOfBatch } from './pair-reasons.ts';
import { type InputRange, type RowFault, RowReader } from './row-reader.ts';

const INVALID = artifactStatuses.indexOf('invalid');

/** Rows that the kernel evaluates at a time. */
const BLOCK_ROWS = 4096;
const MAX_COAST_BYTES = 256 << 20;

/**
 * Opens an artifact from `leeward compile`.
 *
 * @throws {ArtifactError} `not_an_artifact`, `damaged_artifact`, `altered_artifact` or `newer_artifact`.
 * @example
 * const artifact = await openArtifact(await readFile('home.leeward'));
 */
export async function openArtifact(bytes: Uint8Array): Promise<Artifact> {
  return await artifactOf(await readArtifact(bytes));
}

/** Opens a file that was read. */
export async function artifactOf(file: ArtifactFile): Promise<Artifact> {
  let kernel: Kernel;
  try {
    kernel = createKernel(file.tables);
  } catch (error) {
    throw damaged(error instanceof Error ? error.message : String(error));
  }
  if (kernel.carrierCount !== file.manifest.carriers.length)
    throw damaged('its tables have other carriers than its manifest');
  const compressed = file.section(COAST);
  const coast = compressed && (await gunzip(compressed, MAX_COAST_BYTES, 'its section of the coast'));
  return new OpenArtifact(file, kernel, coast);
}

/** Opens the coast kernel when a point is first measured. */
function openOnce(data: Uint8Array): () => CoastKernel {
  let kernel: CoastKernel | undefined;
  return () => {
    try {
      kernel ??= createCoastKernel(data);
      return kernel;
    } catch (error) {
      throw damaged(error instanceof Error ? error.message : String(error));
    }
  };
}

class OpenArtifact implements Artifact {
  readonly manifest: Manifest;
  readonly sizes: ArtifactFile['sizes'];
  readonly #file: ArtifactFile;
  readonly #kernel: Kernel;
  readonly #reader: RowReader;
  readonly #coast: (() => CoastKernel) | undefined;

  constructor(file: ArtifactFile, kernel: Kernel, coast: Uint8Array | undefined) {
    this.manifest = file.manifest;
    this.sizes = file.sizes;
    this.#file = file;
    this.#kernel = kernel;
    this.#coast = coast && file.manifest.coast ? openOnce(coast) : undefined;
    this.#reader = new RowReader(file.manifest, kernel, file.tables, this.#coast);
  }

  evaluate(columns: ArtifactColumns, options: EvaluateOptions = {}): Evaluation {
    const { asOf = new Date(), ranges = {} } = options;
    const named = nameColumns(this.manifest, columns, options);
    const asOfMs = asOf.getTime();
    const effectiveDate = this.#checkDate(options.effectiveDate, asOfMs, named);
    this.#checkRanges(ranges, named.rows);
    const statuses = this.manifest.carriers.map(() => new Uint8Array(named.rows));
    const faults: RowFault[] = [];
    const reasons: PairReasons[] = [];
    for (let from = 0; from < named.rows; from += BLOCK_ROWS) {
      const to = Math.min(named.rows, from + BLOCK_ROWS);
      const batch = this.#reader.read(named, from, to, { asOfMs, effectiveDate, ranges });
      for (const fault of batch.faults) faults.push(fault);
      // A copy: explaining overwrites the memory of the kernel.
      const codes = this.#kernel.evaluate(batch).slice();
      const carrierCount = statuses.length;
      statuses.forEach((column, carrier) => {
        for (let row = 0; row < batch.rows; row++)
          column[from + row] = batch.invalid[row] ? INVALID : codes[row * carrierCount + carrier]!;
      });
      if (!options.reasons) continue;
      for (const each of reasonsOfBatch(this.manifest, this.#kernel, batch, codes)) {
        reasons.push({ ...each, row: from + each.row });
      }
    }
    const byKey = this.manifest.carriers.map(({ key }, carrier) => [key, statuses[carrier]!] as const);
    return { rows: named.rows, statuses: new Map(byKey), faults, reasons, missingColumns: named.missing };
  }

  distanceToCoast(latitude: number, longitude: number, layer: CoastLayer = 'tidal'): CoastDistance | undefined {
    if (!this.#coast) throw new ArtifactError('no_coast', 'The artifact has no coast; compile it with --coast.');
    if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) {
      throw new RangeError(`${latitude}, ${longitude} is not a latitude and a longitude in degrees.`);
    }
    const points = { latitudes: Float64Array.of(latitude), longitudes: Float64Array.of(longitude) };
    const { statuses, distances } = this.#coast().measure(points);
    if (statuses[0] !== 0) return undefined;
    const { meters, minima, maxima, sources } = distances[layer];
    const { name: source } = this.manifest.coast!.sources[sources[0]!]!;
    return { meters: meters[0]!, min: minima[0]!, max: maxima[0]!, source };
  }

  async check() {
    return checkVectors(this, this.#kernel, imageInputs(this.#file.tables), await this.#file.readVectors());
  }

  /** A date for the whole call must be in the artifact; the date of a row makes only that row invalid. */
  #checkDate(effectiveDate: string | undefined, asOfMs: number, columns: NamedColumns): string | undefined {
    const { from, to, states } = this.manifest;
    if (effectiveDate !== undefined) {
      const checked = checkDate('effectiveDate', effectiveDate);
      if (!('value' in checked)) throw new RangeError(checked.message);
      if (this.#reader.intervalOf(checked.value) >= 0) return checked.value;
    } else {
      if (columns.find('effective_date') || columns.find('as_of')) return undefined;
      const zones = new Set(states.map(({ zone }) => zone));
      if ([...zones].some((zone) => this.#reader.intervalOf(dateInZone(asOfMs, zone)) >= 0)) return undefined;
    }
    const date = effectiveDate ?? new Date(asOfMs).toISOString().slice(0, 10);
    throw new ArtifactError(
      'dates_not_covered',
      `The effective date is ${date}; the artifact has the dates from ${from} to ${to}. Give another date, or compile an artifact for it.`,
    );
  }

  #checkRanges(ranges: Readonly<Record<string, InputRange>>, rows: number): void {
    for (const [name, { lower, upper = lower }] of Object.entries(ranges)) {
      const input = this.manifest.inputs.find((each) => each.name === name);
      if (!input || input.words) {
        throw new ArtifactError(
          'unknown_column',
          `ranges has ${quoteValue(name)}, which is not a number of the artifact.`,
        );
      }
      if (lower.length !== rows || upper.length !== rows) {
        throw new ArtifactError('unequal_columns', `The range of ${name} has ${lower.length} rows; give ${rows}.`);
      }
    }
  }
}
