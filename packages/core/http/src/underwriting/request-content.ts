import { requestSchemaOf, type Vocabulary } from '@leeward/engine';
import { distanceNames, evidenceSubjects, valueWithEvidenceSchema } from '@leeward/engine/compiled';
import { statePattern } from '@leeward/places/counties';
import { acrossFields } from '@leeward/terms';
import { placeRules } from '../distance/distance-schema.ts';
import { jsonSchemaOf } from '../document/component-schemas.ts';
import { contentWrittenLater } from '../document/content-text.ts';
import type { ContentText, JsonSchema } from '../operation/operation.ts';

/**
 * For the document: the validating schema, with rules that zod checks outside it: required fields, fields that go together, unknown keys
 * except `x_…`.
 *
 * @example
 * const { schema } = underwritingRequestContent('HomeUnderwritingRequest', catalog.vocabulary, undefined);
 */
export function underwritingRequestContent(
  name: string,
  vocabulary: Vocabulary,
  examples: ContentText['examples'],
): ContentText {
  return contentWrittenLater(name, () => requestSchemaText(vocabulary), examples ? { examples } : {});
}

/** Unknown keys are refused, except notes. */
const onlyNotesBesides = {
  patternProperties: { '^x_': { description: 'Ignored: for a host’s own notes.' } },
  additionalProperties: false,
};

function requestSchemaText(vocabulary: Vocabulary): JsonSchema {
  const schema = jsonSchemaOf(requestSchemaOf(vocabulary), 'input');
  const properties = schema['properties'] as Record<string, JsonSchema>;
  const { id, ...withEvidence } = jsonSchemaOf(valueWithEvidenceSchema, 'input');
  for (const [name, own] of Object.entries(properties)) {
    const closed = withClosedItems(own);
    properties[name] = evidenceSubjects(vocabulary).has(name) ? orWithEvidence(closed) : closed;
  }
  const { givenTogether } = vocabulary;
  const pairs = [...givenTogether, ['lat', 'lng'] as const];
  return {
    ...schema,
    properties: { ...properties, state: required(properties['state']) },
    $defs: { ...(schema['$defs'] as object | undefined), ValueWithEvidence: withEvidence },
    required: ['state'],
    dependentRequired: Object.fromEntries(
      pairs.flatMap(([a, b]) => [
        [a, [b]],
        [b, [a]],
      ]),
    ),
    ...acrossFields({
      needs: [...placeRules.needs, ...givenTogether.flatMap(([a, b]) => [[a, b] as const, [b, a] as const])],
      apart: [...placeRules.apart, ...sameDistances(properties)],
    }),
    ...onlyNotesBesides,
    description: 'Only `state` is required. A missing field is unknown, never false. `null` means missing.',
  };
}

/** Names of one distance in several units. */
function sameDistances(properties: Readonly<Record<string, JsonSchema>>): (readonly [string, string])[] {
  const names = distanceNames.filter(([name]) => Object.hasOwn(properties, name));
  return names.flatMap(([name, field], index) =>
    names.slice(index + 1).flatMap(([other, same]) => (same === field ? [[name, other] as const] : [])),
  );
}

/** Items of a list are checked as the request is. */
function withClosedItems(schema: JsonSchema): JsonSchema {
  const { anyOf, items } = schema as { anyOf?: readonly JsonSchema[]; items?: JsonSchema };
  if (anyOf) return { ...schema, anyOf: anyOf.map(withClosedItems) };
  return items?.['properties'] ? { ...schema, items: { ...items, ...onlyNotesBesides } } : schema;
}

/** A field takes its value, or the value with its date and origin. */
function orWithEvidence({ description, examples, ...own }: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = own;
  const choices = Array.isArray(anyOf) && Object.keys(rest).length === 0 ? (anyOf as readonly JsonSchema[]) : [own];
  return {
    ...(description === undefined ? {} : { description }),
    ...(examples === undefined ? {} : { examples }),
    anyOf: [...choices, { $ref: '#/$defs/ValueWithEvidence', properties: { value: own } }],
  };
}

function required({ anyOf = [], ...schema }: JsonSchema = {}): JsonSchema {
  const text = (anyOf as readonly JsonSchema[]).find(({ type }) => type === 'string');
  return { ...schema, type: 'string', ...text, pattern: statePattern };
}

const harrisHome = {
  state: 'tx',
  county: 'harris',
  policy_type: 'ho3',
  dwelling_a: 285000,
  year_built: 1987,
  roof_type: '3-tab shingle',
  roof_age: 22,
  structure_type: 'single family',
  usage: 'primary',
  ownership: 'personal',
  primary_plumbing: 'copper',
  primary_wiring: 'copper',
  protection_class: 3,
  total_claims: 1,
  acreage: 0.3,
};

/** Examples of requests for homes. */
export const homeExamples = {
  harris: { summary: 'Harris County, Texas: built in 1987, a 3-tab roof of 22 years', value: harrisHome },
  miami: {
    summary: 'In Miami-Dade, where an inspection of the roof is required instead',
    value: { ...harrisHome, state: 'fl', county: 'miami-dade' },
  },
  little: { summary: 'Only the place is known', value: { state: 'Texas', county: 'Harris County' } },
} as const;
