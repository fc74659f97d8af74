import { homeVocabulary } from '@leeward/engine';
import { randomRequest } from '../../../../../test/support/engine/random-requests.ts';
import { createRandom, pick } from '../../../../../test/support/random.ts';
import { type ArtifactFile, readArtifact } from '../format/artifact-file.ts';
import type { Artifact } from '../reader/artifact.ts';
import { artifactOf } from '../reader/open-artifact.ts';
import { instantsOf, type MutationKind, mutateImage, mutationKinds } from './mutate-image.ts';

/** Number of mutants, and of the homes that show them. */
export interface PlantOptions {
  /** Random homes, some with missing fields. A mutant counts if it changes an answer for one of them. */
  readonly homes: number;
  readonly mutants: number;
  readonly seed: number;
  /** Instant after which no mutant is planted. @default none */
  readonly until?: number;
}

/** Mutants by kind, and what those were that the vectors did not find. */
export interface PlantResult {
  readonly planted: Partial<Record<MutationKind, number>>;
  readonly kills: Partial<Record<MutationKind, number>>;
  readonly escaped: readonly string[];
}

/** Changes of a kind, after which the next kind follows. */
const MAX_ATTEMPTS = 60;
const MS_A_DAY = 86_400_000;
const asOf = new Date('2026-11-20T12:00:00Z');
const states = ['fl', 'tx', 'la', 'ms', 'al', 'ga', 'sc', 'nc', 'va', 'ny', 'nj', 'ma', 'ca'];

/** Changes single values in the tables of an artifact, and counts the changes that its vectors find. */
export async function plantMutants(bytes: Uint8Array, options: PlantOptions): Promise<PlantResult> {
  const file = await readArtifact(bytes);
  const vectors = await file.readVectors();
  const random = createRandom(options.seed);
  const columns = randomColumns(file, random, options.homes);
  const statusesOf = (artifact: Artifact) => {
    const { statuses, faults } = artifact.evaluate(columns, { asOf });
    return JSON.stringify([Array.from(statuses.values(), (each) => each.join('')), faults]);
  };
  const reasonsOf = (artifact: Artifact) =>
    artifact
      .evaluate(columns, { asOf, reasons: true })
      .reasons.map(({ reasons }) => reasons.map(({ code }) => code).join(' '))
      .join('\n');
  const unchanged = await artifactOf(file);
  await unchanged.check();
  const [statuses, reasons] = [statusesOf(unchanged), reasonsOf(unchanged)];
  const planted: Partial<Record<MutationKind, number>> = {};
  const kills: Partial<Record<MutationKind, number>> = {};
  const escaped: string[] = [];
  let [count, attempts, turn] = [0, 0, 0];
  while (count < options.mutants && Date.now() < (options.until ?? Number.POSITIVE_INFINITY)) {
    // Small rule sets may have no value of a kind.
    if (++attempts > MAX_ATTEMPTS) [attempts, turn] = [0, turn + 1];
    const kind = mutationKinds[turn % mutationKinds.length]!;
    const mutant = kind === 'date' && random() < 0.5 ? mutateDate(file, random) : mutateTables(file, kind, random);
    if (!mutant) continue;
    const artifact = await artifactOf({ ...file, ...mutant.parts, readVectors: async () => vectors }).catch(
      () => undefined,
    );
    // A change that shows in no answer is not a fault. Tables that are refused are kills.
    if (artifact && statusesOf(artifact) === statuses && reasonsOf(artifact) === reasons) continue;
    [count, attempts, turn] = [count + 1, 0, turn + 1];
    planted[kind] = (planted[kind] ?? 0) + 1;
    const isKilled = !artifact || (await artifact.check().catch(() => undefined)) === undefined;
    if (isKilled) kills[kind] = (kills[kind] ?? 0) + 1;
    else escaped.push(`${kind}: ${mutant.what}`);
  }
  return { planted, kills, escaped };
}

function mutateTables(file: ArtifactFile, kind: MutationKind, random: () => number) {
  const mutant = mutateImage(file.tables, kind, random);
  return mutant && { parts: { tables: mutant.image }, what: mutant.what };
}

/** Moves an end of an interval of dates by a day. */
function mutateDate({ manifest }: ArtifactFile, random: () => number) {
  const intervals = manifest.intervals.map((each) => ({ ...each }));
  const interval = pick(random, intervals);
  const end = pick(random, ['from', 'until'] as const);
  const before = interval[end];
  interval[end] = new Date(Date.parse(before) + pick(random, [-1, 1]) * MS_A_DAY).toISOString().slice(0, 10);
  return { parts: { manifest: { ...manifest, intervals } }, what: `${end} ${before} to ${interval[end]}` };
}

/** Random homes. Some are requested next to a limit of a moratorium. */
function randomColumns({ manifest, tables }: ArtifactFile, random: () => number, homes: number) {
  const fields = manifest.inputs.map(({ column }) => column);
  const instants = instantsOf(tables);
  const bodies = Array.from({ length: homes }, () => {
    const body = randomRequest(random, homeVocabulary, { missing: 0.1, faulty: 0.002, states, fields });
    if (instants.length === 0 || random() < 0.5) return body;
    const ms = pick(random, instants) + pick(random, [-MS_A_DAY, -1, 0, 1, 999, MS_A_DAY - 1]);
    return { ...body, as_of: new Date(ms).toISOString() };
  });
  const names = new Set(bodies.flatMap((body) => Object.keys(body)));
  return Object.fromEntries(
    [...names].map((name) => [name, bodies.map((body: Record<string, unknown>) => body[name])]),
  );
}
