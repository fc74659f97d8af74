import { type Property, STATUS_CODES } from '@leeward/engine';
import {
  type CompiledProgram,
  compileProgram,
  encode,
  findCompiled,
  isCompiled,
  isWithin,
  truthOfTerms,
} from '@leeward/engine/compiled';
import { describe, expect, it } from 'vitest';
import { randomProperty, randomRuleSet } from '../../../../../test/support/engine/random-rule-sets.ts';
import { tinyLine } from '../../../../../test/support/engine/tiny-line.ts';
import { createRandom, wholeNumber } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { createBookColumns, writeBookRow } from '../columns/book-columns.ts';
import { createBookGroup } from '../planes/book-tables.ts';
import { BlockEvaluator } from './block-evaluator.ts';

const seed = Number(process.env['LEEWARD_SEED'] ?? 20261120);
const volume = testVolume(2_500);

function statusByRules(program: CompiledProgram, property: Property): string {
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

describe('a block of rows', () => {
  it(`has for each carrier the status of its rules, evaluated one by one (seed ${seed}, ${volume} statuses)`, () => {
    const random = createRandom(seed);
    const counts: Record<string, number> = {};
    let searched = 0;
    for (let count = 0; count < volume; ) {
      // Terms of a single carrier are spread over all lanes.
      const programs = Array.from({ length: random() < 0.5 ? 1 : wholeNumber(random, 1, 64) }, () =>
        compileProgram(randomRuleSet(random), 'hull', 2026, tinyLine),
      ).filter((program): program is CompiledProgram => program !== undefined && isCompiled(program));
      const homes = Array.from({ length: 20 }, () => randomProperty(random).property).filter(
        ({ values }) => !values.some(isWithin),
      );
      const columns = createBookColumns(tinyLine, homes.length);
      homes.forEach((home, row) => void writeBookRow(columns, row, home));
      const group = createBookGroup(programs.map((program, carrier) => ({ carrier, program })));
      const codes = new Uint8Array(homes.length * programs.length);
      new BlockEvaluator(group, tinyLine, 0, '2026-11-20').evaluate(
        columns,
        Int32Array.from(homes.keys()),
        0,
        homes.length,
        new DataView(codes.buffer),
        Int32Array.from(homes.keys(), (row) => row * programs.length),
      );
      homes.forEach((property, row) => {
        programs.forEach((program, carrier) => {
          const ours = STATUS_CODES[codes[row * programs.length + carrier]!]!;
          const theirs = statusByRules(program, property);
          counts[ours] = (counts[ours] ?? 0) + 1;
          count++;
          const possible = findCompiled(program, property)?.possible;
          if (possible && possible.size === 1) expect([...possible]).toEqual([ours]);
          if (ours === theirs) return;
          // Several rules together settle the open statuses.
          expect(theirs).toBe('needs_information');
          expect([...possible!]).toEqual([ours]);
          searched++;
        });
      });
    }
    expect(searched).toBeGreaterThan(0);
    for (const status of ['eligible', 'referral', 'needs_information', 'ineligible']) {
      expect(counts[status], status).toBeGreaterThan(volume / 50);
    }
  }, 600_000);
});
