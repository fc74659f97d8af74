import { expect, it } from 'vitest';
import { fixtureEntries } from '../../../../../test/support/engine/fixture-catalog.ts';
import { createRandom } from '../../../../../test/support/random.ts';
import { checkRuleSet } from '../rule-set/check.ts';
import { completeHome, propertyOf } from '../testing/complete-homes.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import { isCompiled } from './compile-program.ts';
import { compiledProgram } from './compiled-programs.ts';
import { encode } from './encode.ts';

it('a property encoded from a similar one equals one encoded separately', () => {
  const random = createRandom(20261120);
  const places = [
    ['tx', 'harris'],
    ['fl', 'miami-dade'],
  ] as const;
  const programs = fixtureEntries().flatMap(({ file }) => {
    const { ruleSet } = checkRuleSet(file);
    const program = ruleSet && compiledProgram(ruleSet, 'ho3', 2026, homeVocabulary);
    return program && isCompiled(program) ? [program] : [];
  });
  expect(programs.length).toBeGreaterThan(0);
  // Required fields, and pairs.
  const asked = new Set(['state', 'county', 'policy_type', 'roof_type', 'roof_age']);
  for (let each = 0; each < 60; each++) {
    const body = completeHome(random, places);
    const changed = { ...body };
    // Some fields are those of another home, some are missing.
    for (const [name, value] of Object.entries(completeHome(random, places))) {
      const draw = random();
      if (draw < 0.3) changed[name] = value;
      else if (draw < 0.5 && !asked.has(name)) delete changed[name];
    }
    changed['state'] = body['state'];
    changed['county'] = body['county'];
    const [before, after] = [propertyOf(body), propertyOf(changed)];
    for (const program of programs) {
      const { cells, sets, missing } = encode(program, after);
      expect(encode(program, after, encode(program, before))).toMatchObject({ cells, sets, missing });
    }
  }
});
