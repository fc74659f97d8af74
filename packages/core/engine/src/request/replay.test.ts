import { countiesOf, states } from '@leeward/places/counties';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import { parseRequest } from './parse-request.ts';

/** Valid and invalid requests. */
const request = fc.constantFrom(...states).chain((state) => {
  const counties = countiesOf(state.code).map((county) => county.label);
  const field = Object.fromEntries(
    homeVocabulary.fields.map((each) => {
      const domain = each.domain({ effectiveYear: 2026 });
      const words = homeVocabulary.fields.flatMap(({ member }) =>
        member?.set === each.member?.set && member ? [member.word] : [],
      );
      const value = each.member
        ? fc.subarray(words)
        : each.form?.name === 'flag'
          ? fc.boolean()
          : each.form?.name === 'date'
            ? fc.constantFrom('2026-08-01', '1999-02-28')
            : each.form
              ? fc.integer({ min: 1, max: 99_999 }).map((code) => `${String(code).padStart(5, '0')}-1234`)
              : domain.kind === 'words'
                ? fc.constantFrom(...domain.words, domain.words[0]!.toUpperCase())
                : domain.integer
                  ? fc.oneof(
                      fc.integer({ min: domain.min, max: each.isOnDemand && each.unit === 'year' ? 1800 : domain.max }),
                      fc.integer({ min: domain.min, max: Math.min(domain.max, domain.min + 200) }),
                      fc
                        .integer(each.isOnDemand ? { min: domain.min, max: domain.min + 1 } : { min: 0, max: 99 })
                        .map(String),
                    )
                  : fc.double({ min: domain.min, max: domain.max, noNaN: true });
      return [each.requestName, value];
    }),
  );
  const { address: _, roof_age, roof_type, ...single } = field;
  const miles = fc.oneof(fc.double({ min: 0, max: 12_000, noNaN: true }), fc.constantFrom(0.5, 1, 2.5, '5'));
  return fc
    .record(
      {
        ...single,
        roof: fc.record({ roof_age: roof_age!, roof_type: roof_type! }),
        county: fc.constantFrom(...counties, 'Baltimore', 'St. Louis', 'Harris', 'nowhere', ''),
        policy_type: fc.constantFrom(...homeVocabulary.policyTypes, 'HO-3', ''),
        as_of: fc
          .date({ min: new Date('1902-01-01'), max: new Date('2198-01-01'), noInvalidDate: true })
          .map((date) => date.toISOString()),
        effective_date: fc
          .date({ min: new Date('1902-01-01'), max: new Date('2198-01-01'), noInvalidDate: true })
          .map((date) => date.toISOString().slice(0, 10)),
        distance_to_coast_miles: miles,
        distance_to_ocean_miles: miles,
        point: fc.record({
          lat: fc.double({ min: -90, max: 90, noNaN: true }),
          lng: fc.double({ min: -180, max: 180, noNaN: true }),
        }),
      },
      { requiredKeys: [] },
    )
    .map(({ roof, point, ...rest }) => ({ state: state.name, ...rest, ...roof, ...point }));
});

it('a home as echoed, with both dates, is the same property again', () => {
  let replayed = 0;
  let asked = 0;
  fc.assert(
    fc.property(request, (body) => {
      asked++;
      const first = parseRequest(body, { now: new Date('2026-11-20T12:00:00Z') });
      if (!first.ok) return;
      replayed++;
      const { home, asOf, effectiveDate } = first.request;
      const again = parseRequest(
        JSON.parse(JSON.stringify({ ...home, as_of: asOf, effective_date: effectiveDate })),
        // A replay comes later.
        { now: new Date('2031-05-05T05:05:05Z') },
      );
      expect(again).toMatchObject({ ok: true });
      if (!again.ok) return;
      expect(again.request.home).toEqual(home);
      expect(again.request.property).toEqual(first.request.property);
      expect(again.request.warnings.map((warning) => warning.code)).toEqual(
        first.request.warnings.map((warning) => warning.code),
      );
      expect([again.request.asOf, again.request.effectiveDate]).toEqual([asOf, effectiveDate]);
    }),
    { numRuns: testVolume(150) },
  );
  expect(replayed).toBeGreaterThan(asked / 4);
});
