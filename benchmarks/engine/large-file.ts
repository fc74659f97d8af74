/**
 * One rule set of 5,000 rules of three fields each: cost of its tables and decisions, in a separate process to measure
 * memory. Run directly, it prints its rows as JSON.
 */
import { execFileSync } from 'node:child_process';
import { createCatalog, type Property } from '@leeward/engine';
import { createRandom, pick, wholeNumber } from '../../test/support/random.ts';
import { median, type Row } from '../report.ts';
import { type Condition, policyTypes, states, words } from './carriers.ts';
import { readDecision } from './decisions.ts';
import { createHomes, toProperty, withMissing } from './homes.ts';

const SEED = 20261120;
const RULES = 5_000;
const TESTS = 3;

/** Limits beyond most homes, so that most verdicts stay open. */
const limits: Readonly<Record<string, readonly [from: number, to: number]>> = {
  dwelling_a: [880_000, 899_000],
  year_built: [2018, 2025],
  total_claims: [2, 3],
  water_heater_age: [14, 17],
  hvac_age: [15, 19],
  lapse_in_coverage: [40, 80],
  no_prior: [300, 600],
  acreage: [10, 15],
  protection_class: [7, 9],
};
const fields = [...Object.keys(limits), ...Object.keys(words)];

function threeTests(random: () => number): Condition[] {
  const left = [...fields];
  return Array.from({ length: TESTS }, (): Condition => {
    const [fact] = left.splice(wholeNumber(random, 0, left.length - 1), 1) as [string];
    const limit = limits[fact];
    if (!limit) return { fact, operator: 'equal', value: pick(random, words[fact]!) };
    return { fact, operator: 'greaterThan', value: wholeNumber(random, ...limit) };
  });
}

function largeFile(): unknown {
  const random = createRandom(SEED);
  const rules = Array.from({ length: RULES }, (_, index) => ({
    id: `r${index}`,
    outcome: index % 2 === 0 ? 'decline' : 'refer',
    code: `x_${index % 20}`,
    message: 'Outside the guide.',
    when: { all: threeTests(random) },
  }));
  return {
    format: 1,
    carrier: { key: 'large', name: 'Large' },
    version: '1',
    effective: { from: '2026-01-01', until: null },
    rules,
    programs: [{ id: 'all', policy_types: policyTypes, states }],
  };
}

function measure(): Row[] {
  const homes = createHomes(SEED + 1, 500).map((home) => ({ ...home, policy_type: 'ho3' }));
  const partly = withMissing(homes, 0.4, SEED + 2).map(toProperty);
  const catalog = createCatalog([{ file: largeFile() }]);
  const timed = (call: () => void): number => {
    const start = performance.now();
    call();
    return performance.now() - start;
  };
  const [first] = homes.map(toProperty);
  const tables = timed(() => {
    catalog.statusCodes(first!);
    readDecision(catalog.decideSync(first!));
  });
  const decide = (property: Property) => timed(() => readDecision(catalog.decideSync(property)));
  const times = partly.map(decide);
  const name = `${RULES.toLocaleString('en-US')} rules of ${TESTS} fields in one file`;
  return [
    { name: `${name}: compiled and laid out, first decision among it`, median: tables, unit: 'ms' },
    { name: '… decisions, 40 % missing', median: median(times), unit: 'ms' },
    { name: '… the longest of those, not warm', median: Math.max(...times), unit: 'ms' },
    { name: '… most memory of the process', median: process.resourceUsage().maxRSS / 1e3, unit: 'MB' },
  ];
}

export function measureLargeFile(): Row[] {
  const printed = execFileSync(process.execPath, [...process.execArgv, import.meta.filename], { encoding: 'utf8' });
  return JSON.parse(printed) as Row[];
}

if (import.meta.main) console.log(JSON.stringify(measure()));
