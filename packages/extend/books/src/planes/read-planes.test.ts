import { describe, expect, it } from 'vitest';
import { createRandom, wholeNumber } from '../../../../../test/support/engine/random.ts';
import { randomProperty, randomRuleSet } from '../../../../../test/support/engine/random-rule-sets.ts';
import { tinyLine } from '../../../../../test/support/engine/tiny-line.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { type CompiledProgram, compileProgram, isCompiled } from '../compiled/compile-program.ts';
import { encode } from '../compiled/encode.ts';
import { findCompiled } from '../compiled/find-compiled.ts';
import { truthOfTerms } from '../compiled/rule-truth.ts';
import type { Property } from '../request/property.ts';
import { createPlaneReader } from './plane-reader.ts';
import { buildPlaneTable } from './plane-table.ts';
import { readPlanes, STATUS_CODES, writeStatuses } from './read-planes.ts';
import { createTableAxes } from './table-axes.ts';

const seed = Number(process.env['LEEWARD_SEED'] ?? 20261120);
const wanted = testVolume(2_500);

/** The normalized status, rule by rule: what the planes compute all at once. */
function normalizedStatus(program: CompiledProgram, property: Property): string {
  const found = findCompiled(program, property);
  if (!found) return 'not_offered';
  const at = encode(program, property);
  const truths = (outcome: string) =>
    program.rules.filter(({ rule }) => rule.outcome === outcome).map(({ terms }) => truthOfTerms(terms, at));
  const decline = [...truths('decline'), found.territory];
  const refer = truths('refer');
  if (decline.includes('true')) return 'ineligible';
  const maybeDeclined = decline.includes('undecided');
  if (refer.includes('true') && !maybeDeclined) return 'referral';
  return maybeDeclined || refer.includes('undecided') ? 'needs_information' : 'eligible';
}

describe('planes', () => {
  it(`say of every carrier what its rules say one by one (seed ${seed}, ${wanted} verdicts)`, () => {
    const random = createRandom(seed);
    const counts: Record<string, number> = {};
    let exactSettled = 0;
    for (let verdict = 0; verdict < wanted; ) {
      // A carrier alone has its terms spread over all lanes.
      const programs = Array.from({ length: random() < 0.5 ? 1 : wholeNumber(random, 1, 64) }, () =>
        compileProgram(randomRuleSet(random), 'hull', 2026, tinyLine),
      ).filter((program): program is CompiledProgram => program !== undefined && isCompiled(program));
      const reader = createPlaneReader(buildPlaneTable(programs, createTableAxes(programs)), tinyLine);
      const codes = new Uint8Array(programs.length);
      for (let each = 0; each < 20; each++) {
        const { property } = randomProperty(random);
        readPlanes(reader, property);
        writeStatuses(reader, codes, 0);
        programs.forEach((program, carrier) => {
          const ours = STATUS_CODES[codes[carrier]!]!;
          const theirs = normalizedStatus(program, property);
          counts[ours] = (counts[ours] ?? 0) + 1;
          verdict++;
          if (ours === theirs) {
            const possible = findCompiled(program, property)!.possible;
            if (ours === 'needs_information' && possible.size === 1) exactSettled++;
            if (
              ours !== 'needs_information' &&
              ours !== 'not_offered' &&
              (possible.size > 1 || !possible.has(ours as 'eligible'))
            ) {
              expect.fail(`planes say ${ours}, exactly it is ${[...possible]}`);
            }
            return;
          }
          // Rules that lie inside others are left out of the planes, which can only make them surer.
          if (theirs === 'needs_information' && findCompiled(program, property)!.possible.has(ours as 'eligible'))
            return;
          expect.fail(
            `${ours}, not ${theirs}: ${JSON.stringify([program.ruleSet, ...program.ruleSet.programs.map((each) => [...(each.places.counties.get('de')?.fips ?? [])]), property.counties])} ${JSON.stringify(property.values)}`,
          );
        });
      }
    }
    expect(exactSettled).toBeGreaterThan(0);
    for (const status of ['eligible', 'referral', 'needs_information', 'ineligible']) {
      expect(counts[status], status).toBeGreaterThan(wanted / 50);
    }
  }, 600_000);
});
