import { withoutEval } from '@leeward/terms';
import * as z from 'zod';
import { ArtifactError } from '../format/artifact-error.ts';
import type { Manifest } from '../format/manifest.ts';
import { probeDigests } from '../format/probe-homes.ts';
import { damaged } from '../format/sections.ts';
import type { Kernel } from '../kernel/create-kernel.ts';
import type { Artifact, Evaluation } from './artifact.ts';
import type { ImageInput } from './image-inputs.ts';

const numbers = z.array(z.number().nullable());
const vectorsSchema = withoutEval(() =>
  z.looseObject({
    columns: z.record(z.string(), z.array(z.unknown())),
    statuses: z.record(z.string(), z.string()),
    reasons: z.array(
      z.looseObject({ row: z.int(), rows: z.int().min(1), carrier: z.string(), codes: z.array(z.string()) }),
    ),
    errors: z.array(z.looseObject({ row: z.int(), column: z.string(), code: z.string() })),
    ranges: z.record(z.string(), z.tuple([numbers, numbers])),
    spellings: z.looseObject({
      states: z.record(z.string(), z.int()),
      policy_types: z.record(z.string(), z.int()),
      words: z.record(z.string(), z.record(z.string(), z.int())),
      counties: z.record(z.string(), z.record(z.string(), z.array(z.string()))),
    }),
    probes: z.looseObject({
      rows: z.int().min(1),
      values: z.array(z.array(z.number().nullable())),
      places: z.array(z.tuple([z.int().min(0), z.int()])).min(1),
      digests: z.array(z.array(z.tuple([z.int(), z.int()]))),
    }),
  }),
);
/** Homes as a user gives them, and the answers of the engine. See the format of the artifact. */
export type Vectors = z.infer<typeof vectorsSchema>;

/** In the order of status codes. */
const STATUS_LETTERS = '01234x';
const [STATES, POLICY_TYPES] = [0, 1];
const NOT_IN_STATE = -1;

/**
 * Compares the answers of an artifact with its vectors.
 *
 * @throws {ArtifactError} `failed_check` with the first difference.
 */
export function checkVectors(
  artifact: Pick<Artifact, 'evaluate' | 'manifest'>,
  kernel: Kernel,
  inputs: readonly ImageInput[],
  json: unknown,
): { readonly homes: number; readonly lookups: number } {
  const parsed = vectorsSchema.safeParse(json);
  if (!parsed.success) throw damaged(`its vectors have a fault at ${parsed.error.issues[0]!.path.join('.')}`);
  const vectors = parsed.data;
  checkProbes(vectors, artifact.manifest, kernel, inputs);
  const lookups = checkSpellings(vectors, artifact.manifest, kernel, inputs);
  const ranges = Object.fromEntries(
    Object.entries(vectors.ranges).map(([name, [lower, upper]]) => [
      name,
      { lower: asNumbers(lower), upper: asNumbers(upper) },
    ]),
  );
  const answers = artifact.evaluate(vectors.columns, { ranges, reasons: true });
  checkFaults(vectors, answers);
  for (const [carrier, expected] of Object.entries(vectors.statuses)) {
    const codes = answers.statuses.get(carrier);
    const actual = Array.from(codes ?? [], (code) => STATUS_LETTERS[code]).join('');
    if (actual === expected) continue;
    const row = Array.from(expected).findIndex((letter, index) => letter !== actual[index]);
    throw failed(`row ${row}, ${carrier}: status ${actual[row]} instead of ${expected[row]}`);
  }
  checkReasons(vectors, answers);
  return { homes: answers.rows, lookups };
}

function checkFaults({ errors }: Vectors, { faults }: Evaluation): void {
  const written = (all: readonly { row: number; column: string; code: string }[]) =>
    all.map(({ row, column, code }) => `row ${row}, ${column}: ${code}`).sort();
  const [expected, actual] = [written(errors), written(faults)];
  const at = expected.findIndex((each, index) => each !== actual[index]);
  if (at >= 0) throw failed(`${expected[at]} expected`);
  if (actual.length > expected.length)
    throw failed(`${actual.find((each) => !expected.includes(each))}, an unexpected fault`);
}

function checkReasons({ reasons }: Vectors, answers: Evaluation): void {
  const actual = new Map(answers.reasons.map((each) => [`${each.row} ${each.carrier}`, each.reasons]));
  for (const { row: first, rows, carrier, codes } of reasons) {
    for (let row = first; row < Math.min(first + rows, answers.rows); row++) {
      const own = (actual.get(`${row} ${carrier}`) ?? []).map(({ code }) => code).sort();
      if (own.join(' ') === codes.join(' ')) continue;
      throw failed(`row ${row}, ${carrier}: reasons ${own.join(', ')} instead of ${codes.join(', ')}`);
    }
  }
}

function checkProbes({ probes }: Vectors, manifest: Manifest, kernel: Kernel, inputs: readonly ImageInput[]): void {
  const { intervals, policy_types: types } = manifest;
  const areWords = inputs.map(({ isWord }) => isWord);
  const tables = { areWords, intervals: intervals.length, policyTypes: types.length };
  let list = 0;
  for (const digest of probeDigests(kernel, probes, tables)) {
    const [interval, type] = [Math.floor(list / types.length), list++ % types.length];
    for (const [part, what] of ['statuses', 'reasons'].entries()) {
      if (digest[part] === probes.digests[interval]?.[type]?.[part]) continue;
      throw failed(`the ${what} of probes of ${types[type]} from ${intervals[interval]!.from}`);
    }
  }
}

function checkSpellings(
  { spellings }: Vectors,
  manifest: Manifest,
  kernel: Kernel,
  inputs: readonly ImageInput[],
): number {
  let lookups = 0;
  const check = (what: string, actual: unknown, expected: unknown) => {
    lookups++;
    if (actual !== expected) throw failed(`${what} is ${String(actual)} instead of ${String(expected)}`);
  };
  const checkList = (list: number, codes: Readonly<Record<string, number>>) => {
    for (const [text, code] of Object.entries(codes)) check(JSON.stringify(text), kernel.find(list, text), code);
  };
  checkList(STATES, spellings.states);
  checkList(POLICY_TYPES, spellings.policy_types);
  for (const [name, codes] of Object.entries(spellings.words)) {
    checkList(inputs[manifest.inputs.findIndex((input) => input.name === name)]?.list ?? -1, codes);
  }
  for (const [state, byFips] of Object.entries(spellings.counties)) {
    const index = manifest.states.findIndex(({ code }) => code === state);
    for (const [fips, texts] of Object.entries(byFips)) {
      // Statuses show whether the right counties share a name.
      const isShared = fips.includes(' ');
      for (const text of texts) {
        const code = kernel.findCounty(index, text);
        check(`the county ${text} of ${state}`, isShared ? code < NOT_IN_STATE : code, isShared || Number(fips));
      }
    }
  }
  return lookups;
}

function asNumbers(values: readonly (number | null)[]): Float64Array {
  return Float64Array.from(values, (value) => value ?? Number.NaN);
}

function failed(difference: string): ArtifactError {
  return new ArtifactError('failed_check', `The artifact differs from its vectors: ${difference}.`);
}
