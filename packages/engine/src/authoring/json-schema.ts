import { states } from '@leeward/places/counties';
import * as z from 'zod';
import { decoratorNames, type Operator, operatorNames, operators } from '../condition/operators.ts';
import { outcomes, ruleSetSchema } from '../rule-set/schema.ts';
import { type FactReference, factIndex, type SetReference } from '../vocabulary/fact-index.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/** A JSON Schema, draft 2020-12, or a part of one. */
export type JsonSchema = { [key: string]: unknown };

const outcomeWords: Readonly<Record<(typeof outcomes)[number], string>> = {
  decline: 'The home is ineligible.',
  refer: 'An underwriter must be asked: do not bind.',
  require: 'The home is taken, but something is asked for.',
  inform: 'Something is merely said.',
};

/**
 * The JSON Schema of a rule set: from the zod schema, with what an editor needs to help with: every fact
 * with its label, unit and bounds, the operators of its kind, the words it can be, states and codes.
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
    if (own['counties']) own['counties']['propertyNames'] = { anyOf: [stateSchema(), { const: '$comment' }] };
  }
  enrichCondition(defs['Condition']!, vocabulary);
  defs['RootCondition'] = {
    $ref: '#/$defs/Condition',
    description: 'Begins with all, any, not or condition.',
    not: { required: ['fact'] },
  };
  defs['OtherFact'] = {
    type: 'object',
    description: 'Another fact to compare with.',
    properties: { fact: { type: 'string', enum: [...factIndex(vocabulary).names] }, path: {}, params: {} },
    required: ['fact'],
  };
  return { $id: 'https://leeward.dev/schema/rule-set-1.json', ...schema };
}

function enrichRule(rule: Record<string, JsonSchema>, vocabulary: Vocabulary): void {
  Object.assign(rule['outcome']!, {
    enum: [...outcomes],
    enumDescriptions: outcomes.map((each) => outcomeWords[each]),
  });
  rule['code'] = {
    type: 'string',
    maxLength: 100,
    description: rule['code']!['description'],
    anyOf: [{ enum: [...vocabulary.codes] }, { pattern: '^x_[a-z0-9_]+$' }],
  };
  for (const key of ['when', 'unless']) {
    rule[key] = { description: rule[key]!['description'], $ref: '#/$defs/RootCondition' };
  }
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

function enrichCondition(condition: JsonSchema, vocabulary: Vocabulary): void {
  const index = factIndex(vocabulary);
  const properties = condition['properties'] as Record<string, JsonSchema>;
  properties['fact'] = {
    type: 'string',
    description: 'What is tested.',
    enum: [...index.names],
    enumDescriptions: index.names.map((name) => {
      const set = index.sets.get(name);
      return set ? describeSet(set) : describeFact(index.find(name)!, vocabulary);
    }),
  };
  // The names are listed by kind of fact below, so that an editor proposes only those that suit.
  properties['operator'] = {
    type: 'string',
    description: 'How it is compared.',
    pattern: `^((${decoratorNames.join('|')}):){0,16}(${operatorNames.join('|')})$`,
  };
  condition['dependentRequired'] = { fact: ['operator', 'value'], operator: ['fact'], value: ['fact'] };
  condition['allOf'] = index.names.map((name) => ({
    if: { properties: { fact: { const: name } }, required: ['fact'] },
    // biome-ignore lint/suspicious/noThenProperty: the name is JSON Schema's own.
    then: index.sets.has(name) ? setTestSchema(index.sets.get(name)!) : testSchema(index.find(name)!, vocabulary),
  }));
  condition['defaultSnippets'] = [
    { label: 'test', description: 'A test of a fact.', body: { fact: '$1', operator: '$2', value: '$3' } },
    { label: 'all', description: 'Every one of these must hold.', body: { all: ['$1'] } },
    { label: 'any', description: 'At least one of these must hold.', body: { any: ['$1'] } },
  ];
}

/** How one fact may be tested: the operators of its kind, and for each what may stand beside it. */
function testSchema(reference: FactReference, vocabulary: Vocabulary): JsonSchema {
  const description = describeFact(reference, vocabulary);
  const suited = operators.filter((operator) => suits(operator, reference));
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
        then: { properties: { value: { type: 'array', description, items: one } } },
      },
      {
        if: names(plain.filter((name) => !lists.includes(name))),
        // biome-ignore lint/suspicious/noThenProperty: the name is JSON Schema's own.
        then: { properties: { value: { description, anyOf: [one, { $ref: '#/$defs/OtherFact' }] } } },
      },
    ],
  };
}

/** How a set may be tested: by a word that it contains, or by any or all of some. */
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

const setOperators: ReadonlyMap<string, string> = new Map([
  ['contains', 'The set contains the word.'],
  ['doesNotContain', 'The set does not contain the word.'],
  ['someFact:in', 'The set contains one of the words.'],
  ['everyFact:notIn', 'The set contains none of the words.'],
  ['everyFact:in', 'The set contains no other words.'],
]);

function describeSet({ label, members }: SetReference): string {
  const words = members.map(({ member }) => member!.word).join(', ');
  return `${label[0]!.toUpperCase()}${label.slice(1)}. Any of: ${words}.`;
}

function suits({ shape }: Operator, reference: FactReference): boolean {
  if (shape === 'member') return false;
  return shape !== 'order' || (reference.kind !== 'place' && rangeOf(reference) !== undefined);
}

function valueSchema(reference: FactReference, vocabulary: Vocabulary): JsonSchema {
  if (reference.kind === 'place') {
    if (reference.name === 'state') return stateSchema();
    if (reference.name === 'policy_type') return { enum: [...vocabulary.policyTypes] };
    return {
      type: 'string',
      description: 'A county with its state ("jefferson, tx"), or its FIPS code.',
      pattern: '^(\\d{5}|.+,.+)$',
    };
  }
  if (reference.kind === 'field' && reference.field.form) return { ...reference.field.form.schema };
  const words = wordsOf(reference);
  if (words) return { enum: [...words] };
  return { type: 'number', description: describeFact(reference, vocabulary) };
}

function wordsOf(reference: FactReference): readonly string[] | undefined {
  if (reference.kind === 'place') return undefined;
  const domain = reference.field.domain({ effectiveYear: 2200 });
  return domain.kind === 'words' ? domain.words : undefined;
}

function rangeOf(reference: FactReference): { min: number; max: number; integer: boolean } | undefined {
  if (reference.kind === 'place') return undefined;
  if (reference.kind === 'derived') return reference.derived.range;
  const domain = reference.field.domain({ effectiveYear: 2200 });
  return domain.kind === 'numbers' ? domain : undefined;
}

/** A fact in a sentence: what it is, in which unit, and what it can be. */
export function describeFact(reference: FactReference, vocabulary: Vocabulary): string {
  if (reference.kind === 'place') {
    if (reference.name === 'state') return 'The state, as its lower-case abbreviation.';
    if (reference.name === 'county') return 'The county: its name with its state ("jefferson, tx"), or its FIPS code.';
    return `The policy type: ${vocabulary.policyTypes.join(', ')}.`;
  }
  const { label, unit } = reference.kind === 'derived' ? reference.derived : reference.field;
  const title = `${label[0]!.toUpperCase()}${label.slice(1)}`;
  const form = reference.kind === 'field' ? reference.field.form : undefined;
  if (form) return `${title}: ${form.words}.`;
  const words = wordsOf(reference);
  if (words) return `${title}. One of: ${words.join(', ')}.`;
  const range = rangeOf(reference)!;
  const isYear = unit === 'year';
  const bounds = isYear
    ? `a year from ${range.min} to the one after the effective date's`
    : `${range.integer ? 'a whole number' : 'a number'} from ${range.min} to ${Math.floor(range.max)}`;
  const years = reference.kind === 'derived' && unit === 'years' ? ' Reckoned at the effective date.' : '';
  return `${title}${unit === undefined || isYear ? '' : `, in ${unit}`}: ${bounds}.${years}`;
}
