import { withoutEval } from '@leeward/terms';
import * as z from 'zod';
import type { ArithmeticProgram } from '../tables/arithmetic-program.ts';
import { ArtifactError } from './artifact-error.ts';
import { damaged } from './sections.ts';

/** Version of the format that this package writes, and the newest that it reads. */
export const ARTIFACT_FORMAT = 1;

const MAX_TEXT = 20_000;
const MAX_ENTRIES = 100_000;

const text = z.string().max(MAX_TEXT);
const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).max(MAX_ENTRIES).readonly();
const place = z.int().min(0).max(MAX_ENTRIES);
const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
/** Messages by code. `{value}` is the quoted value, `{hint}` a suggestion with a leading space, or empty. */
const messages = z.record(text, text);

const programSchema: z.ZodType<ArithmeticProgram> = z.lazy(() =>
  z.union([
    z.number(),
    text,
    z.strictObject({ age_of: text }),
    z.strictObject({
      apply: z.enum(['add', 'subtract', 'multiply', 'percent_of', 'min', 'max']),
      of: z.array(programSchema).min(1).max(100).readonly(),
    }),
  ]),
);

const inputSchema = z.looseObject({
  name: text,
  column: text,
  kind: z.enum(['number', 'word', 'flag', 'set_word', 'date', 'zipcode', 'as_of', 'computed', 'host']),
  columns: listOf(
    z.looseObject({ name: text, factor: z.number(), min: z.number(), max: z.number(), faults: messages }),
  ).optional(),
  set: text.optional(),
  word: text.optional(),
  words: listOf(text).optional(),
  spellings: z.record(text, text).optional(),
  unit: text.optional(),
  label: text.optional(),
  form: z.enum(['year', 'age_or_year']).optional(),
  needs: listOf(text).optional(),
  program: programSchema.optional(),
  test: z.looseObject({ operator: text, of: z.tuple([programSchema, programSchema]) }).optional(),
  /** For a number that rules compute from a list, if the list is unknown: by value of the input that counts its items. */
  by_count: z.looseObject({ input: place, ranges: listOf(z.tuple([z.number(), z.number()])) }).optional(),
  /** For a number that follows from the time of the request. */
  moment: z.literal('days_until_effective').optional(),
  base: place.optional(),
  faults: messages.optional(),
});
/** One input of the tables, and the column of a request that gives it. */
export type ManifestInput = z.infer<typeof inputSchema>;

const ruleSchema = z.looseObject({
  carrier: place,
  version: text,
  kind: z.enum(['rule', 'territory', 'moratorium']),
  id: text,
  code: text,
  outcome: z.enum(['decline', 'refer']),
  message: text,
  inputs: listOf(place),
});

const manifestSchema = withoutEval(() =>
  z.looseObject({
    format: z.literal(ARTIFACT_FORMAT),
    made_by: text,
    line: text,
    created: text.nullable(),
    from: date,
    to: date,
    policy_types: listOf(text),
    policy_type_spellings: z.record(text, text),
    states: listOf(z.looseObject({ code: text, name: text, zone: text })),
    /** Names of all fields of requests, tested or not. */
    fields: listOf(text),
    /** In the order of the tables. */
    inputs: listOf(inputSchema),
    sets: z.record(text, z.looseObject({ words: listOf(text), faults: messages })),
    faults: z.record(text, messages),
    relations: listOf(z.tuple([text, text])),
    given_together: listOf(z.tuple([text, text])),
    carriers: listOf(
      z.looseObject({
        key: text,
        name: text,
        versions: listOf(z.looseObject({ version: text, sha256: text, from: date, until: date.nullable() })),
      }),
    ),
    intervals: listOf(
      z.looseObject({
        from: date,
        until: date,
        effective_year: z.int(),
        types: listOf(z.looseObject({ reasons: listOf(place) })),
      }),
    ),
    rules: listOf(ruleSchema),
    not_compiled: listOf(
      z.looseObject({
        carrier: text,
        version: text,
        policy_type: text,
        fact: text.nullable(),
        why: text,
      }),
    ),
    /** `fields` has the names of the inputs that the columns of the coast kernel give. */
    coast: z
      .looseObject({
        sources: listOf(z.looseObject({ name: text, version: text, attribution: text })),
        fields: listOf(text),
      })
      .nullable(),
    licences: listOf(text),
  }),
);

/** The description of an artifact: what it answers, and what its columns are. */
export type Manifest = z.infer<typeof manifestSchema>;

/**
 * Reads the JSON of a manifest.
 *
 * @throws {ArtifactError} `newer_artifact`, or `damaged_artifact` naming the first member that is not as in the format.
 */
export function readManifest(json: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw damaged('its manifest is not JSON');
  }
  const format: unknown = typeof value === 'object' && value !== null && 'format' in value ? value.format : undefined;
  if (typeof format === 'number' && format > ARTIFACT_FORMAT) {
    throw new ArtifactError(
      'newer_artifact',
      `The artifact was made by format ${format}; this reader reads up to ${ARTIFACT_FORMAT}. Update @leeward/artifact.`,
    );
  }
  const manifest = manifestSchema.safeParse(value);
  if (manifest.success) return manifest.data;
  const path = manifest.error.issues[0]!.path.join('.');
  throw damaged(`its manifest has a fault at ${path || 'its start'}`);
}
