import { expect, it } from 'vitest';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { createCatalog } from '../catalog/create-catalog.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import { isCompiled } from './compile-program.ts';
import { compiledProgram } from './compiled-programs.ts';
import { statusTermsOf } from './status-terms.ts';

const claims = (more: number, outcome = 'decline') =>
  ruleFile({
    id: `${outcome}_${more}`,
    outcome,
    message: '.',
    when: { all: [test('total_claims', 'greaterThan', more)] },
  });
const program = (id: string, counties: object, rules: readonly Record<string, unknown>[]) => ({
  id,
  policy_types: ['ho3'],
  states: ['tx'],
  counties: { tx: counties },
  rules: rules.map((rule) => ({ ...rule, id: `${id}_${String(rule['id'])}` })),
});

/** Axis 0 is the place. */
function axesOf(programs: readonly unknown[]) {
  const catalog = createCatalog([{ file: ruleSetFile({ rules: [], programs }) }]);
  const compiled = compiledProgram(catalog.carriers[0]!.versions[0]!.ruleSet, 'ho3', 2026, homeVocabulary);
  if (!compiled || !isCompiled(compiled)) throw new Error('The rules were to be compiled.');
  const { declining, referring } = statusTermsOf(compiled);
  return [declining, referring].map((terms) => terms.map((term) => term.map(({ axis }) => axis)));
}

it('widens a rule by the territory: it declines everywhere', () => {
  // The territory declines by the place alone.
  expect(axesOf([program('inland', { exclude: ['48201'] }, [claims(2)])])).toEqual([[[0], [1]], []]);
});

it('widens a rule by a sibling program that declines more', () => {
  const coast = (rules: readonly Record<string, unknown>[]) => program('coast', { include: ['48201'] }, rules);
  const inland = (rules: readonly Record<string, unknown>[]) => program('inland', { exclude: ['48201'] }, rules);
  // More than 4 claims are declined in both; 2 to 4 only inland.
  expect(axesOf([coast([claims(4)]), inland([claims(1)])])).toEqual([[[1], [0, 1]], []]);
  expect(axesOf([coast([claims(2)]), inland([claims(2)])])).toEqual([[[1]], []]);
});

it('widens a referral by a sibling program that declines or refers', () => {
  const programs = [
    program('coast', { include: ['48201'] }, [claims(2, 'refer')]),
    program('inland', { exclude: ['48201'] }, [claims(2)]),
  ];
  expect(axesOf(programs)).toEqual([[[0, 1]], [[1]]]);
});
