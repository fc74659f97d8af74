import { STATUS_CODES } from '@leeward/engine';
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

  it('name the carriers of a county that could take the home', () => {
    expect(describeAnswers(county(2, 6, 5))).toBe('2 yes · up to 6 more if answered · 5 no');
    expect(describeAnswers(county(2, 0, 5))).toBe('2 yes · 5 no');
  });

  it.each([
    [
      'all open',
      [county(0, 6, 0), county(0, 4, 2)],
      '0 of 2 counties have a carrier that takes or refers this home. In 2, up to 6 could once open questions are answered.',
    ],
    [
      'some of each',
      [county(3, 6, 0), county(0, 4, 2), county(0, 0, 9)],
      '1 of 3 counties have a carrier that takes or refers this home; at most 3 in one. In 1 more, up to 4 could once open questions are answered. In 1, none would.',
    ],
    ['all declined', [county(0, 0, 9)], '0 of 1 counties have a carrier that takes or refers this home.'],
  ])('describe counties: %s', (_, counties, words) => {
    expect(describeCounties(counties)).toBe(words);
  });
});
