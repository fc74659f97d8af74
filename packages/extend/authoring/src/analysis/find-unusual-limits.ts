import { rangeOf } from '@leeward/engine/compiled';
import type { Usual } from '@leeward/engine/vocabulary';
import { METERS_PER_FOOT, METERS_PER_MILE } from '@leeward/terms';
import { sourcePaths } from '../finding/source-paths.ts';
import type { AnalysisContext, RuleAcross } from './analysis-context.ts';
import { homeWith } from './home-with.ts';
import { type NumericLimit, numericLimits } from './numeric-limits.ts';

/** Units that authors confuse with the unit of a fact, by the unit of the fact: factor and name. */
const misreadings: Readonly<Record<string, readonly (readonly [factor: number, written: string])[]>> = {
  dollars: [
    [1_000, 'thousands of dollars'],
    [1_000_000, 'millions of dollars'],
    [1 / 100, 'cents'],
  ],
  miles: [
    [1 / 5_280, 'feet'],
    [1 / METERS_PER_MILE, 'meters'],
    [1 / 1.609344, 'kilometers'],
  ],
  feet: [
    [5_280, 'miles'],
    [1 / METERS_PER_FOOT, 'meters'],
  ],
  meters: [
    [METERS_PER_MILE, 'miles'],
    [1_000, 'kilometers'],
  ],
  acres: [[1 / 43_560, 'square feet']],
  years: [[1 / 12, 'months']],
  days: [
    [365, 'years'],
    [30, 'months'],
    [1 / 24, 'hours'],
  ],
};

/** Finds limits far outside the usual range of their fact, usually because of another unit. */
export function findUnusualLimits(context: AnalysisContext, rules: readonly RuleAcross[]): void {
  const vocabulary = context.programs[0]?.vocabulary;
  if (!vocabulary) return;
  const paths = sourcePaths(context.ruleSet.file);
  for (const across of rules) {
    const reportedPaths = new Set<string>();
    for (const limit of numericLimits(across.rule, vocabulary)) {
      const path = paths.get(limit.written) ?? across.rule.path;
      if (reportedPaths.has(path) || !isUnusual(limit)) continue;
      reportedPaths.add(path);
      report(context, across, limit, path);
    }
  }
}

function usualOf({ reference }: NumericLimit): Usual | undefined {
  return reference.kind === 'derived' ? reference.derived.usual : reference.field.usual;
}

function isUnusual(limit: NumericLimit): boolean {
  const usual = usualOf(limit);
  const { value } = limit;
  if (!usual || value === 0 || (value >= usual.min && value <= usual.max)) return false;
  // A value outside the domain is reported elsewhere, so report it here only with a likely unit.
  return isWithinDomain(limit) || conversionOf(limit, usual) !== undefined;
}

/** The limit converted from another unit, if it is usual then. */
function conversionOf(
  { value, unit }: NumericLimit,
  { min, max }: Usual,
): { value: number; written: string } | undefined {
  return (misreadings[unit ?? ''] ?? [])
    .map(([factor, written]) => ({ written, value: Number((value * factor).toPrecision(4)) }))
    .find((each) => each.value >= min && each.value <= max);
}

function isWithinDomain({ reference, value }: NumericLimit): boolean {
  const range = rangeOf(reference);
  return !range || (value >= range.min && value <= range.max);
}

function report(context: AnalysisContext, across: RuleAcross, limit: NumericLimit, path: string): void {
  const { rule } = across;
  const { value, unit, label } = limit;
  const usual = usualOf(limit)!;
  const { min, max } = usual;
  const conversion = conversionOf(limit, usual);
  const suggestion = conversion
    ? ` If ${print(value)} was written in ${conversion.written}, it is ${print(conversion.value)} ${unit}.`
    : '';
  const range = `${print(min)} and ${print(max)}${unit === undefined ? '' : ` ${unit}`}`;
  // A home between the limit as written and as intended shows the difference.
  const between = Math.sqrt(value * (conversion?.value ?? (value < min ? min : max)));
  const example = homeWith(context, across, limit, between);
  context.findings.push({
    code: 'unusual_limit',
    path,
    ruleId: rule.id,
    severity: 'warning',
    message: `"${rule.id}" compares ${label} with ${print(value)}; its limits are usually between ${range}.${suggestion}`,
    policyTypes: across.at.map(({ program }) => program.policyType),
    ...(example ? { example } : {}),
  });
}

function print(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 6 });
}
