import { countiesOf } from '@leeward/places/counties';
import { pick, wholeNumber } from '../random.ts';
import { randomHomeCondition } from './random-home-rules.ts';
import { ruleSetFile } from './rule-set-file.ts';

const decline = { outcome: 'decline' };
const refer = { outcome: 'refer' };

/** An offer with a bound that others of the same file may contradict. */
function offerOf(random: () => number): Record<string, unknown> {
  const limit = wholeNumber(random, 1, 9);
  const bound = random() < 0.5 ? { min: limit } : { max: limit };
  const steps = [{ below: 10 * limit, min: limit }, { min: 1 }];
  const value = random() < 0.3 ? { by: 'home_age', steps } : bound;
  return { outcome: 'offer', terms: { wind_hail_deductible_percent: value } };
}

/** Rules as they are written for homes, in several states, with territories, moratoria and programs by county. */
export function randomHomeFile(random: () => number, key: string): Record<string, unknown> {
  const rules = (name: string, most: number) =>
    Array.from({ length: wholeNumber(random, 0, most) }, (_, index) => ({
      id: `${name}-${index}`,
      ...pick(random, [decline, decline, refer, refer, { outcome: 'require' }, { outcome: 'inform' }, offerOf(random)]),
      code: 'x_test',
      message: random() < 0.5 ? 'Year {year_built}, {roof_age}.' : 'Not within the guide.',
      ...(random() < 0.2 ? { priority: wholeNumber(random, 1, 3) } : {}),
      [random() < 0.7 ? 'when' : 'unless']: randomHomeCondition(random, random() < 0.4 ? 2 : 0),
    })).map(({ priority: _, ...rule }) => rule);
  const some = (state: string, share: number) =>
    countiesOf(state)
      .filter(() => random() < share)
      .map((county) => county.fips);
  const narrowed =
    random() < 0.5
      ? { tx: { exclude: [...some('tx', 0.2), '48201'] }, md: { include: [...some('md', 0.5), '24510'] } }
      : {};
  return ruleSetFile({
    carrier: { key, name: pick(random, ['Same Name', key]) },
    rules: rules('top', 8),
    programs: [
      {
        id: 'main',
        policy_types: ['ho3', 'dp3'],
        states: ['tx', 'md', 'fl'],
        counties: narrowed,
        rules: rules('main', 6),
      },
      { id: 'other', policy_types: ['ho5'], states: ['tx', 'fl'], rules: rules('other', 4) },
    ],
    ...(random() < 0.4
      ? {
          moratoria: [
            {
              id: 'storm',
              from: '2026-11-01T00:00:00Z',
              until: '2026-12-01T00:00:00Z',
              states: ['tx', 'md'],
              ...(random() < 0.7 ? { counties: { md: { include: some('md', 0.4).concat('24510') } } } : {}),
              message: 'Storm.',
            },
          ],
        }
      : {}),
  });
}
