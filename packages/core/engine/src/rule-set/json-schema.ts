import { countiesOf, states } from '@leeward/places/counties';
import * as z from 'zod';
import { momentFacts } from '../condition/computed.ts';
import { decoratorNames, operatorNames } from '../condition/operators.ts';
import { evidenceParts, evidenceSources } from '../request/evidence.ts';
import { type FactReference, factIndex, itemIndex, type SetReference } from '../vocabulary/fact-index.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import { itemVocabulary } from '../vocabulary/item-vocabulary.ts';
import type { ListField } from '../vocabulary/list-field.ts';
import type { OfferTerm } from '../vocabulary/offer-term.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { areaOperators, LOCATION_FACT } from './area-test.ts';
import { geometryTypes, MAX_WITHIN_MILES } from './check-areas.ts';
import { computedKeys } from './check-computed.ts';
import { formOf } from './check-constant.ts';
import { countyName } from './county-name.ts';
import {
  capitalized,
  describeFact,
  describeSet,
  operatorsOf,
  rangeOf,
  setOperators,
  wordsOf,
} from './describe-fact.ts';
import { type Outcome, outcomes, ruleSetSchema } from './schema.ts';

const testKeys = ['fact', ...computedKeys];

/** Meaning of each outcome. */
export const outcomeMeanings: Readonly<Record<Outcome, string>> = {
  decline: 'The home is ineligible.',
  refer: 'An underwriter must review the home: do not bind.',
  require: 'The home is accepted if a requirement is met.',
  offer: 'The home is accepted under terms: deductibles, limits, settlement, surcharge.',
  inform: 'The message is information only.',
};

/** A JSON Schema, draft 2020-12, or a part of one. */
export type JsonSchema = { [key: string]: unknown };

/**
 * Returns the JSON Schema of rule set files for a vocabulary. It contains what an editor needs for completion: facts with label, unit
 * and bounds, the operators of each kind of fact, words, states and codes.
 *
 * @example writeFileSync('rule-set.json', JSON.stringify(ruleSetJsonSchema(vocabulary)));
 */
export function ruleSetJsonSchema(vocabulary: Vocabulary = homeVocabulary): JsonSchema {
  const schema = z.toJSONSchema(ruleSetSchema, { io: 'input' }) as JsonSchema;
  const defs = schema['$defs'] as Record<string, JsonSchema>;
  const properties = (name: string) => defs[name]!['properties'] as Record<string, JsonSchema>;
  Object.assign(properties('RuleSet')['line']!, { enum: [vocabulary.line] });
  enrichRule(properties('Rule'), vocabulary);
  defs['Rule']!['defaultSnippets'] = [ruleSnippet];
  for (const name of ['Program', 'Moratorium']) {
    const own = properties(name);
    if (own['states']) own['states']['items'] = stateSchema();
    own['policy_types'] = { ...own['policy_types'], items: { type: 'string', enum: [...vocabulary.policyTypes] } };
    if (own['counties']) own['counties'] = { ...own['counties'], ...countiesSchema() };
  }
  const moratorium = properties('Moratorium');
  for (const key of ['when', 'unless']) {
    moratorium[key] = { description: moratorium[key]!['description'], $ref: '#/$defs/RootCondition' };
  }
  defs['Moratorium']!['anyOf'] = ['from', 'when', 'unless'].map((key) => ({ required: [key] }));
  for (const { code } of states) defs[countiesDefinition(code)] = { enum: countyNamesOf(code) };
  defs['County'] = { enum: states.flatMap(({ code }) => countyNamesOf(code).map((name) => `${name}, ${code}`)) };
  defs['Area'] = areaSchema();
  Object.assign(properties('RuleSet')['areas']!, { additionalProperties: { $ref: '#/$defs/Area' } });
  Object.assign(defs, computedDefinitions(vocabulary, defs['Condition']!));
  enrichCondition(defs['Condition']!, vocabulary);
  defs['RootCondition'] = {
    $ref: '#/$defs/Condition',
    description: 'Begins with all, any, not or condition.',
    not: { anyOf: testKeys.map((key) => ({ required: [key] })) },
  };
  defs['OtherFact'] = {
    type: 'object',
    description: 'Another fact to compare with.',
    properties: { fact: { type: 'string', enum: [...factIndex(vocabulary).names] }, path: {}, params: {} },
    required: ['fact'],
  };
  const { names, find } = factIndex(vocabulary);
  defs['NumericFact'] = {
    enum: names.filter((name) => {
      const reference = find(name);
      return reference !== undefined && rangeOf(reference) !== undefined && !formOf(reference);
    }),
  };
  return { $id: 'https://unpkg.com/@leeward/engine/schema/rule-set-1.json', ...schema };
}

function enrichRule(rule: Record<string, JsonSchema>, vocabulary: Vocabulary): void {
  Object.assign(rule['outcome']!, {
    enum: [...outcomes],
    enumDescriptions: outcomes.map((each) => outcomeMeanings[each]),
  });
  rule['code'] = {
    type: 'string',
    maxLength: 100,
    description: rule['code']!['description'],
    anyOf: [{ enum: [...vocabulary.codes] }, { pattern: '^x_[a-z0-9_]+$' }],
  };
  rule['terms'] = termsSchema(vocabulary, String(rule['terms']!['description']));
  for (const key of ['when', 'unless']) {
    rule[key] = { description: rule[key]!['description'], $ref: '#/$defs/RootCondition' };
  }
}

function termsSchema(vocabulary: Vocabulary, description: string): JsonSchema {
  const { terms = [] } = vocabulary;
  const tableOf = (step: JsonSchema): JsonSchema => ({
    type: 'object',
    description: 'A table by a fact: the first step whose "below" exceeds the fact applies.',
    properties: {
      by: { $ref: '#/$defs/NumericFact' },
      steps: {
        type: 'array',
        minItems: 1,
        maxItems: 100,
        items: { ...step, properties: { below: { type: 'number' }, ...(step['properties'] as object), $comment: {} } },
      },
      $comment: {},
    },
    required: ['by', 'steps'],
    additionalProperties: false,
  });
  const custom = { description: 'A custom term: bounds, words, or true.' };
  const schemaOf = (term: OfferTerm): JsonSchema => {
    const unit = term.kind === 'number' && term.unit ? ` (${term.unit})` : '';
    const title = { description: `${capitalized(term.label)}${unit}.` };
    if (term.kind === 'number') {
      const { min, max } = term;
      const bound = (what: string) => ({ type: 'number', minimum: min, maximum: max, description: what });
      const properties = { min: bound('The value is at least this.'), max: bound('The value is at most this.') };
      const plain = {
        type: 'object',
        properties: { ...properties, $comment: {} },
        minProperties: 1,
        additionalProperties: false,
      };
      return { ...title, anyOf: [plain, tableOf({ type: 'object', properties, additionalProperties: false })] };
    }
    const value =
      term.kind === 'flag'
        ? { const: true }
        : { anyOf: [{ enum: [...term.words] }, { type: 'array', items: { enum: [...term.words] }, minItems: 1 }] };
    const step = { type: 'object', properties: { value }, additionalProperties: false };
    return { ...title, anyOf: [value, tableOf(step)] };
  };
  return {
    type: 'object',
    description,
    minProperties: 1,
    properties: Object.fromEntries(terms.map((term) => [term.name, schemaOf(term)])),
    patternProperties: { '^x_[a-z0-9_]+$': custom },
    additionalProperties: false,
    defaultSnippets: [
      { label: 'minimum', body: { $1: { min: '$2' } } },
      { label: 'table', body: { $1: { by: '$2', steps: [{ below: '$3', min: '$4' }, { min: '$5' }] } } },
    ],
  };
}

const ruleSnippet = {
  label: 'rule',
  description: 'A rule that declines.',
  body: {
    id: '$1',
    outcome: 'decline',
    code: '$2',
    when: { all: [{ fact: '$3', operator: '$4', value: '$5' }] },
    message: '$6',
  },
};

function stateSchema(): JsonSchema {
  return { type: 'string', enum: states.map(({ code }) => code), enumDescriptions: states.map(({ name }) => name) };
}

function countiesDefinition(state: string): string {
  return `CountiesOf${state.toUpperCase()}`;
}

function countyNamesOf(state: string): readonly string[] {
  return countiesOf(state).map(({ fips }) => countyName(state, fips));
}

/** Editors propose the names of each state; other spellings are also valid. */
function countiesSchema(): JsonSchema {
  const list = (state: string) => ({
    items: { anyOf: [{ $ref: `#/$defs/${countiesDefinition(state)}` }, { type: 'string' }] },
  });
  const selections = states.map(({ code }) => [
    code,
    { allOf: [{ $ref: '#/$defs/CountySelection' }], properties: { include: list(code), exclude: list(code) } },
  ]);
  return {
    properties: Object.fromEntries(selections),
    propertyNames: { anyOf: [stateSchema(), { const: '$comment' }] },
  };
}

const evidenceAgeSchema: JsonSchema = {
  pattern: '^[a-z][a-z0-9_]*\\.evidence_age_years$',
  description: 'Age of the evidence for a value in complete years, as roof_year.evidence_age_years.',
};

const evidenceFactSchema: JsonSchema = {
  pattern: `^[a-z][a-z0-9_]*\\.(${Object.keys(evidenceParts).join('|')})$`,
  description: 'Evidence of a field, set or list: its age in complete years, or its source.',
};

const sourceSchema: JsonSchema = { anyOf: [{ enum: [...evidenceSources] }, { pattern: '^x_[a-z0-9_]{1,60}$' }] };

/** Tests of evidence: operators and values by fact. */
const evidenceTestSchemas: readonly JsonSchema[] = [
  {
    if: { properties: { fact: { pattern: '\\.source$' } }, required: ['fact'] },
    // biome-ignore lint/suspicious/noThenProperty: the name is JSON Schema's own.
    then: {
      properties: {
        operator: { pattern: '^(not:){0,16}(equal|notEqual|in|notIn)$' },
        value: { anyOf: [sourceSchema, { type: 'array', items: sourceSchema }] },
      },
    },
  },
  {
    if: { properties: { fact: evidenceAgeSchema }, required: ['fact'] },
    // biome-ignore lint/suspicious/noThenProperty: the name is JSON Schema's own.
    then: { properties: { value: { type: ['number', 'array', 'object'] } } },
  },
];

/** Facts of the time of a request that rules may test. */
const momentNames = ['days_until_effective'] as const;
/** GeoJSON, lists of ZIP codes, and files next to the rule file. `checkRuleSet` checks geometries. */
function areaSchema(): JsonSchema {
  const isA = (types: readonly string[]) => ({ properties: { type: { enum: types } }, required: ['type'] });
  return {
    type: 'object',
    description: 'A named area.',
    properties: {
      type: { enum: [...geometryTypes, 'Feature'], description: 'GeoJSON, longitude before latitude.' },
      coordinates: { type: 'array' },
      geometry: { type: 'object' },
      properties: {},
      id: {},
      bbox: {},
      within_miles: {
        type: 'number',
        exclusiveMinimum: 0,
        maximum: MAX_WITHIN_MILES,
        description: 'The area reaches this far around the geometry.',
      },
      zipcodes: {
        type: 'array',
        minItems: 1,
        items: { type: 'string' },
        description: 'ZIP codes, ranges ("77550-77554") and prefixes ("775*").',
      },
      file: {
        type: 'string',
        description: 'A GeoJSON file next to the rule file, for rule sets that are read from a folder.',
      },
      $comment: {},
    },
    additionalProperties: false,
    oneOf: [
      { ...isA(['Feature']), required: ['type', 'geometry'] },
      { ...isA(['Polygon', 'MultiPolygon']), required: ['type', 'coordinates'] },
      {
        ...isA(['LineString', 'MultiLineString', 'Point', 'MultiPoint']),
        required: ['type', 'coordinates', 'within_miles'],
      },
      { required: ['zipcodes'] },
      { required: ['file'] },
    ],
    defaultSnippets: [
      { label: 'polygon', body: { type: 'Polygon', coordinates: [[['$1', '$2']]] } },
      { label: 'ZIP codes', body: { zipcodes: ['$1'] } },
      { label: 'file', body: { file: 'areas/$1.geojson' } },
    ],
  };
}

/** True if rules test the location, because no fact of the line has its name. */
function hasLocation(vocabulary: Vocabulary): boolean {
  return !factIndex(vocabulary).names.includes(LOCATION_FACT);
}

const locationTest: JsonSchema = {
  properties: {
    operator: {
      anyOf: [
        {
          enum: areaOperators,
          enumDescriptions: ['A part of the building is within the area.', 'The whole building is within the area.'],
        },
        { pattern: `^(not:){1,16}(${areaOperators.join('|')})$` },
      ],
    },
    value: { type: 'string', description: 'The name of an area of this file.' },
  },
};

function enrichCondition(condition: JsonSchema, vocabulary: Vocabulary): void {
  const index = factIndex(vocabulary);
  const properties = condition['properties'] as Record<string, JsonSchema>;
  properties['fact'] = {
    type: 'string',
    description: 'The tested fact.',
    anyOf: [
      {
        enum: [...index.names, ...momentNames, ...(hasLocation(vocabulary) ? [LOCATION_FACT] : [])],
        enumDescriptions: [
          ...index.names.map((name) => {
            const set = index.sets.get(name);
            return set ? describeSet(set) : describeFact(index.find(name)!, vocabulary);
          }),
          ...momentNames.map((name) => `${capitalized(momentFacts[name].label)}, in ${momentFacts[name].unit}.`),
          ...(hasLocation(vocabulary) ? ['Location of the building: within an area of this file.'] : []),
        ],
      },
      evidenceFactSchema,
    ],
  };
  // Operators are listed by kind of fact below, so that an editor proposes only suitable ones.
  properties['operator'] = {
    type: 'string',
    description: 'The comparison.',
    pattern: `^((${decoratorNames.join('|')}):){0,16}(${[...operatorNames, ...areaOperators].join('|')})$`,
  };
  condition['dependentRequired'] = Object.fromEntries([
    ...testKeys.map((key) => [key, ['operator', 'value']]),
    ['operator', ['value']],
    ['value', ['operator']],
  ]);
  condition['allOf'] = index.names.map((name) => ({
    if: { properties: { fact: { const: name } }, required: ['fact'] },
    // biome-ignore lint/suspicious/noThenProperty: the name is JSON Schema's own.
    then: index.sets.has(name) ? setTestSchema(index.sets.get(name)!) : testSchema(index.find(name)!, vocabulary),
  }));
  if (hasLocation(vocabulary)) {
    (condition['allOf'] as JsonSchema[]).push({
      if: { properties: { fact: { const: LOCATION_FACT } }, required: ['fact'] },
      // biome-ignore lint/suspicious/noThenProperty: the name is JSON Schema's own.
      then: locationTest,
    });
  }
  (condition['allOf'] as JsonSchema[]).push(...evidenceTestSchemas, {
    if: { required: ['operator'] },
    // biome-ignore lint/suspicious/noThenProperty: the name is JSON Schema's own.
    then: { anyOf: testKeys.map((key) => ({ required: [key] })) },
  });
  enrichComputed(condition, [...index.lists.values()]);
  condition['defaultSnippets'] = [
    { label: 'test', description: 'A test of a fact.', body: { fact: '$1', operator: '$2', value: '$3' } },
    { label: 'all', description: 'All of these must hold.', body: { all: ['$1'] } },
    { label: 'any', description: 'One or more of these must hold.', body: { any: ['$1'] } },
  ];
}

/** Adds counts and sums over lists, and arithmetic, to the schema of a condition or an expression. */
function enrichComputed(condition: JsonSchema, lists: readonly ListField[]): void {
  const properties = condition['properties'] as Record<string, JsonSchema>;
  const names = lists.map(({ name }) => name);
  const named = { enum: names, enumDescriptions: lists.map(({ description }) => description) };
  const operands = (count: object) => ({ type: 'array', items: { $ref: '#/$defs/Operand' }, ...count });
  for (const key of ['count', 'sum']) properties[key] = { type: 'string', ...descriptionOf(properties[key]), ...named };
  for (const key of ['min', 'max']) {
    properties[key] = {
      ...descriptionOf(properties[key]),
      anyOf: [{ type: 'string', ...named }, operands({ minItems: 2 })],
    };
  }
  for (const key of ['add', 'multiply']) {
    properties[key] = { ...descriptionOf(properties[key]), ...operands({ minItems: 2 }) };
  }
  for (const key of ['subtract', 'percent_of']) {
    properties[key] = { ...descriptionOf(properties[key]), ...operands({ minItems: 2, maxItems: 2 }) };
  }
  // The fields of an item depend on the list.
  properties['where'] = { type: 'object', ...descriptionOf(properties['where']) };
  const of = lists.map(({ name, fields }) => ({
    if: {
      anyOf: ['count', 'sum', 'min', 'max'].map((key) => ({ properties: { [key]: { const: name } }, required: [key] })),
    },
    // biome-ignore lint/suspicious/noThenProperty: the name is JSON Schema's own.
    then: {
      properties: {
        where: { $ref: `#/$defs/${itemDefinition(name)}` },
        of: {
          enum: fields.flatMap((field) =>
            field.kind === 'number' ? [field.name] : field.kind === 'date' ? [field.age] : [],
          ),
        },
      },
    },
  }));
  condition['allOf'] = [...((condition['allOf'] as JsonSchema[] | undefined) ?? []), ...of];
}

function descriptionOf(schema: JsonSchema | undefined): JsonSchema {
  return schema?.['description'] === undefined ? {} : { description: schema['description'] };
}

function itemDefinition(list: string): string {
  return `ConditionOf_${list}`;
}

/** Returns the schemas of expressions, and of the conditions on the items of each list. */
function computedDefinitions(vocabulary: Vocabulary, condition: JsonSchema): Record<string, JsonSchema> {
  const index = factIndex(vocabulary);
  const lists = [...index.lists.values()];
  const numeric = index.names.filter((name) => {
    const reference = index.find(name);
    return (
      reference !== undefined &&
      reference.kind !== 'place' &&
      wordsOf(reference) === undefined &&
      !(reference.kind === 'field' && reference.field.form)
    );
  });
  const own = condition['properties'] as Record<string, JsonSchema>;
  numeric.push(...momentNames);
  const keys = ['count', 'sum', 'min', 'max', 'of', 'where', 'add', 'subtract', 'multiply', 'percent_of', 'miles_to'];
  const expression: JsonSchema = {
    type: 'object',
    description: 'A number computed from facts and lists.',
    properties: {
      fact: { anyOf: [{ enum: numeric }, evidenceAgeSchema] },
      ...Object.fromEntries(keys.map((key) => [key, { ...own[key] }])),
    },
    additionalProperties: false,
  };
  enrichComputed(expression, lists);
  return {
    Expression: expression,
    Operand: { anyOf: [{ type: 'number' }, { $ref: '#/$defs/Expression' }] },
    ...Object.fromEntries(lists.map((list) => [itemDefinition(list.name), itemConditionSchema(list)])),
  };
}

function itemConditionSchema(list: ListField): JsonSchema {
  const index = itemIndex(list);
  const itself = { $ref: `#/$defs/${itemDefinition(list.name)}` };
  return {
    type: 'object',
    description: `Tests of the fields of one ${list.itemLabel}.`,
    properties: {
      all: { type: 'array', items: itself },
      any: { type: 'array', items: itself },
      not: itself,
      fact: {
        enum: [...index.names],
        enumDescriptions: index.names.map((name) => describeFact(index.find(name)!, itemVocabulary(list))),
      },
      operator: { type: 'string', pattern: `^(not:){0,16}(${operatorNames.join('|')})$` },
      value: {},
      $comment: {},
    },
    additionalProperties: false,
    dependentRequired: { fact: ['operator', 'value'], operator: ['fact'], value: ['fact'] },
    allOf: index.names.map((name) => ({
      if: { properties: { fact: { const: name } }, required: ['fact'] },
      // biome-ignore lint/suspicious/noThenProperty: the name is JSON Schema's own.
      then: {
        properties: {
          value: {
            anyOf: [itemValueSchema(list, name), { type: 'array', items: itemValueSchema(list, name) }],
          },
        },
      },
    })),
  };
}

function itemValueSchema(list: ListField, name: string): JsonSchema {
  const schema = valueSchema(itemIndex(list).find(name)!, itemVocabulary(list));
  const isOpen = list.fields.some((field) => field.name === name && field.kind === 'word' && field.isOpen);
  return isOpen ? { anyOf: [schema, { type: 'string', pattern: '^x_[a-z0-9_]+$' }] } : schema;
}

function testSchema(reference: FactReference, vocabulary: Vocabulary): JsonSchema {
  const description = describeFact(reference, vocabulary);
  const suited = operatorsOf(reference);
  const plain = suited.map(({ name }) => name);
  const one = valueSchema(reference, vocabulary);
  const lists = suited.filter(({ shape }) => shape === 'list').map(({ name }) => name);
  const names = (list: readonly string[]) => ({ properties: { operator: { enum: list } }, required: ['operator'] });
  return {
    properties: {
      fact: { description },
      operator: {
        anyOf: [
          { enum: plain, enumDescriptions: suited.map(({ words }) => `The fact ${words} the value.`) },
          { pattern: ':' },
        ],
      },
    },
    allOf: [
      {
        if: names(lists),
        // biome-ignore lint/suspicious/noThenProperty: the name is JSON Schema's own.
        then: { properties: { value: { type: 'array', description, items: listedSchema(reference) ?? one } } },
      },
      {
        if: names(plain.filter((name) => !lists.includes(name))),
        // biome-ignore lint/suspicious/noThenProperty: the name is JSON Schema's own.
        then: {
          properties: {
            value: { description, anyOf: [one, { $ref: '#/$defs/OtherFact' }, ...expressionsFor(reference)] },
          },
        },
      },
    ],
  };
}

function setTestSchema(set: SetReference): JsonSchema {
  const description = describeSet(set);
  const one = { enum: set.members.map(({ member }) => member!.word) };
  return {
    properties: {
      fact: { description },
      operator: {
        anyOf: [{ enum: [...setOperators.keys()], enumDescriptions: [...setOperators.values()] }, { pattern: ':' }],
      },
    },
    allOf: [
      {
        if: { properties: { operator: { enum: ['contains', 'doesNotContain'] } }, required: ['operator'] },
        // biome-ignore lint/suspicious/noThenProperty: the name is JSON Schema's own.
        then: { properties: { value: { description, ...one } } },
      },
      {
        if: { properties: { operator: { pattern: ':(in|notIn)$' } }, required: ['operator'] },
        // biome-ignore lint/suspicious/noThenProperty: the name is JSON Schema's own.
        then: { properties: { value: { type: 'array', description, items: one } } },
      },
    ],
  };
}

/** Returns the schema of elements of lists, if they may be ranges. */
function listedSchema(reference: FactReference): JsonSchema | undefined {
  const range = reference.kind === 'field' ? reference.field.form?.range : undefined;
  return range ? { ...range.schema } : undefined;
}

/** Numbers are also compared with expressions. */
function expressionsFor(reference: FactReference): JsonSchema[] {
  const isNumber =
    reference.kind === 'derived' || (reference.kind === 'field' && !reference.field.form && !wordsOf(reference));
  return isNumber ? [{ $ref: '#/$defs/Expression' }] : [];
}

function valueSchema(reference: FactReference, vocabulary: Vocabulary): JsonSchema {
  if (reference.kind === 'place') {
    if (reference.name === 'state') return stateSchema();
    if (reference.name === 'policy_type') return { enum: [...vocabulary.policyTypes] };
    return {
      type: 'string',
      description: 'A county with its state ("jefferson, tx"), or its FIPS code.',
      anyOf: [{ $ref: '#/$defs/County' }, { pattern: '^(\\d{5}|.+,.+)$' }],
    };
  }
  if (reference.kind === 'field' && reference.field.form) return { ...reference.field.form.schema };
  const words = wordsOf(reference);
  if (words) return { enum: [...words] };
  return { type: 'number', description: describeFact(reference, vocabulary) };
}
