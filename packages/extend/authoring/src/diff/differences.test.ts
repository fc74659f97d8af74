import { homeVocabulary } from '@leeward/engine';
import { expect, it } from 'vitest';
import { checked } from '../../../../../test/support/engine/fixture-carriers.ts';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { compareFiles } from './compare-files.ts';

const claims = test('total_claims', 'greaterThan', 3);
const roof = test('roof_age', 'greaterThan', 15);
const metal = test('roof_type', 'in', ['metal', 'tile']);
const rule = (when: object, others: object = {}) => ({ rules: [ruleFile({ id: 'roof', when, ...others })] });

it.each([
  [
    'a limit',
    { all: [roof] },
    { all: [test('roof_age', 'greaterThan', 20)] },
    'age of the roof more than 15 years became more than 20 years',
    '/when/all/0',
  ],
  [
    'an operator',
    { all: [roof] },
    { all: [test('roof_age', 'greaterThanInclusive', 15)] },
    'age of the roof more than 15 years became at least 15 years',
    '/when/all/0',
  ],
  [
    'one value of a list',
    { any: [metal] },
    { any: [test('roof_type', 'in', ['tile', 'slate'])] },
    'roof type one of: slate added, metal removed',
    '/when/any/0',
  ],
  [
    'a county',
    { all: [test('county', 'equal', 'harris, tx')] },
    { all: [test('county', 'equal', '48167')] },
    'county Harris County, TX became Galveston County, TX',
    '/when/all/0',
  ],
  [
    'money',
    { all: [test('dwelling_a', 'lessThan', 150_000)] },
    { all: [test('dwelling_a', 'lessThan', 200_000)] },
    'dwelling coverage A less than $150,000 became less than $200,000',
    '/when/all/0',
  ],
  [
    'a test before the others',
    { all: [roof] },
    { all: [claims, roof] },
    'with claims in five years is more than 3',
    '/when/all/0',
  ],
  [
    'a removed test',
    { all: [claims, roof] },
    { all: [roof] },
    'without claims in five years is more than 3',
    '/when/all',
  ],
  ['the order', { all: [claims, roof] }, { all: [roof, claims] }, 'in another order', '/when/all'],
  [
    'all or any',
    { all: [claims, roof] },
    { any: [claims, roof] },
    '(claims in five years is more than 3 and age of the roof is more than 15 years) became (claims in five years is more than 3 or age of the roof is more than 15 years)',
    '/when',
  ],
] as const)('describes an edit of %s in words, with its path', (_, before, after, text, path) => {
  const [older, newer] = [before, after].map((when) => checked(ruleSetFile(rule(when))));
  expect(compareFiles(older!, newer!, homeVocabulary)).toMatchObject([
    { message: `The rule "roof" was edited: ${text}.`, path: '/rules/0', paths: [`/rules/0${path}`] },
  ]);
});

it('describes other keys of a rule', () => {
  const [older, newer] = [
    { outcome: 'decline', code: 'roof_age', message: 'Old.' },
    { outcome: 'refer', code: 'roof_type', message: 'New.' },
  ].map((others) => checked(ruleSetFile(rule({ all: [roof] }, others))));
  expect(compareFiles(older!, newer!, homeVocabulary)[0]?.message).toBe(
    'The rule "roof" was edited: outcome decline became refer; reason age of the roof became roof type; message "Old." became "New.".',
  );
});
