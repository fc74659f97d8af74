import { STATUS_CODES } from '@leeward/engine';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countAnswers } from '../evaluate/count-answers.ts';
import { describeAnswers, describeCounties } from './describe-answers.ts';

const county = (takes: number, could: number, declines: number) => ({ takes, could, declines });
const codesOf = (...statuses: (typeof STATUS_CODES)[number][]) => statuses.map((each) => STATUS_CODES.indexOf(each));

describe('answers of carriers', () => {
  it('count unknown as neither a yes nor a no', () => {
    const codes = codesOf('eligible', 'referral', 'needs_information', 'not_judged', 'ineligible', 'not_offered');
    expect(countAnswers(codes)).toEqual(county(2, 2, 1));
    expect(countAnswers(codes, 2, 3)).toEqual(county(0, 1, 0));
  });

  it('are yes, could or no for every carrier that offers the type', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...STATUS_CODES), { maxLength: 300 }), (statuses) => {
        const { takes, could, declines } = countAnswers(codesOf(...statuses));
        expect(takes + could + declines).toBe(statuses.filter((status) => status !== 'not_offered').length);
      }),
    );
  });

  it('name the carriers of a county that could take the home', () => {
    expect(describeAnswers(county(2, 6, 5))).toBe('2 yes · up to 6 more if answered · 5 no');
    expect(describeAnswers(county(2, 0, 5))).toBe('2 yes · 5 no');
  });

  it.each([
    [
      'all open',
      [county(0, 6, 0), county(0, 4, 2)],
      5,
      'Up to 6 carriers could take it in 2 of 2 counties; 5 answers are missing.',
    ],
    [
      'some of each',
      [county(3, 6, 0), county(0, 4, 2), county(0, 0, 9)],
      1,
      'Up to 3 carriers take or refer this home in 1 of 3 counties. Up to 6 carriers could take it in 1 other county; 1 answer is missing. In 1, no carrier would.',
    ],
    [
      'taken everywhere',
      [county(1, 2, 0), county(1, 0, 1)],
      undefined,
      'A carrier takes or refers this home in 2 of 2 counties. Up to 2 more carriers could take it.',
    ],
    ['all declined', [county(0, 0, 9)], undefined, 'No carrier takes this home in the county.'],
  ])('describe counties: %s', (_, counties, missing, words) => {
    expect(describeCounties(counties, missing)).toBe(words);
  });
});
