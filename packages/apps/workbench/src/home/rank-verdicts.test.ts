import { describe, expect, it } from 'vitest';
import type { WireDecision, WireVerdict } from '../service/wire.ts';
import { describePath, filterVerdicts, groupNotOffered, sortVerdicts, summarize } from './rank-verdicts.ts';

const verdict = (carrier: string, status: WireVerdict['status'], others: Partial<WireVerdict> = {}) =>
  ({
    ...{ carrier, carrier_key: carrier.toLowerCase(), policy_type: 'ho3', status, possible_statuses: [status] },
    ...{ reasons: [], requirements: [], missing_fields: [], ...others },
  }) as unknown as WireVerdict;

const verdicts = [
  verdict('Delta', 'ineligible', { reasons: [{ code: 'a', rule_id: 'a', fields: [], message: 'Roof of 22 years.' }] }),
  verdict('Cove', 'needs_information', { missing_fields: ['roof_age', 'usage'] }),
  verdict('Bay', 'needs_information', { missing_fields: ['usage'] }),
  verdict('Arbor', 'referral'),
  verdict('Elm', 'eligible'),
];
const names = (list: readonly WireVerdict[]) => list.map(({ carrier }) => carrier);

describe('the list of answers', () => {
  it('puts the best first, and of open ones those that wait for least', () => {
    expect(names(sortVerdicts(verdicts, 'best'))).toEqual(['Elm', 'Arbor', 'Bay', 'Cove', 'Delta']);
    expect(names(sortVerdicts(verdicts, 'carrier'))).toEqual(['Arbor', 'Bay', 'Cove', 'Delta', 'Elm']);
  });

  it.each([
    [[], '', 5],
    [['eligible', 'referral'], '', 2],
    [[], 'roof 22', 1],
    [[], 'NEEDS', 2],
    [['eligible'], 'roof', 0],
  ] as const)('filters by %j and “%s”', (statuses, text, count) => {
    expect(filterVerdicts(verdicts, new Set(statuses), text)).toHaveLength(count);
  });

  it('lists missing answers of an open verdict, without a decline', () => {
    const open = verdict('Open', 'needs_information', { missing_fields: ['a', 'b', 'c', 'd', 'e'] });
    expect(summarize(open, (field) => field.toUpperCase())).toBe('Waiting for: A, B, C and 2 more');
    expect(describePath({ ...open, possible_statuses: ['eligible', 'ineligible'] }, undefined)).toBeUndefined();
    expect(describePath({ ...open, possible_statuses: ['referral', 'ineligible'] }, undefined)).toBe(
      'At best a referral',
    );
  });
});

describe('carriers that are not offered', () => {
  const entry = (carrier: string, policy_type: string, code: string) => ({
    ...{ carrier, carrier_key: carrier.toLowerCase(), policy_type, code },
  });
  const answer = (home: object, not_offered: readonly object[]) =>
    ({
      ...{ home, not_offered, effective_date: '2026-11-27', carriers: [verdict('Elm', 'eligible')], declined: [] },
    }) as unknown as WireDecision;

  it('have a reason each', () => {
    const groups = groupNotOffered(
      answer({ policy_type: 'ho3' }, [
        entry('Bay', 'ho3', 'no_program'),
        entry('Arbor', 'ho3', 'no_program'),
        entry('Cove', 'ho3', 'no_version'),
        entry('Delta', 'ho3', 'not_appointed'),
      ]),
      'Texas',
      'home',
    );
    expect(groups).toEqual([
      { reason: 'No HO3 program in Texas', carriers: ['Arbor', 'Bay'] },
      { reason: 'No rule set in force on 2026-11-27', carriers: ['Cove'] },
      { reason: 'Not appointed for HO3 in Texas', carriers: ['Delta'] },
    ]);
  });

  it('are named once if they have no policy type at all', () => {
    const types = ['ho3', 'ho5'];
    const groups = groupNotOffered(
      answer({}, [...types.map((type) => entry('Bay', type, 'no_program')), entry('Elm', 'ho5', 'no_program')]),
      'Texas',
      'home',
    );
    expect(groups).toEqual([
      { reason: 'No home program in Texas', carriers: ['Bay'] },
      { reason: 'No HO5 program in Texas', carriers: ['Elm'] },
    ]);
  });
});
