import { METERS_PER_FOOT, METERS_PER_MILE } from '@leeward/terms';
import type { AnalysisContext, RuleAcross } from './analysis-context.ts';
import { homeWith } from './home-with.ts';
import { type NamedNumber, numbersIn } from './numbers-in-message.ts';
import { type NumericLimit, numericLimits } from './numeric-limits.ts';

/** Finds messages of rules that name another limit than the rule tests. */
export function findWrongMessages(context: AnalysisContext, rules: readonly RuleAcross[]): void {
  const program = context.programs[0];
  if (!program) return;
  for (const across of rules) {
    const { rule } = across;
    // Messages of the other outcomes often contain numbers that are not limits.
    if (rule.outcome !== 'decline' && rule.outcome !== 'refer') continue;
    const limits = numericLimits(rule, program.vocabulary);
    if (limits.length === 0) continue;
    const numbers = numbersIn(rule.message);
    for (const [key, group] of byKind(limits)) {
      const related = numbers.filter((number) => isAbout(number, key, limits));
      const isOf = (number: NamedNumber, limit: NumericLimit) => isSame(number, limit, program.effectiveYear);
      const otherNumber = related.find((number) => !group.some((limit) => isOf(number, limit)));
      const unnamedLimit = group.find((limit) => !related.some((number) => isOf(number, limit)));
      // A further number may mean something else. It is wrong only if the limit itself is not named.
      if (!otherNumber || !unnamedLimit) continue;
      report(context, across, otherNumber, unnamedLimit);
      break;
    }
  }
}

/** Groups limits by field, so that a distance in any unit is one group. */
function byKind(limits: readonly NumericLimit[]): Map<string, NumericLimit[]> {
  const kinds = new Map<string, NumericLimit[]>();
  for (const limit of limits) {
    const { field } = limit.reference;
    kinds.set(field.name, [...(kinds.get(field.name) ?? []), limit]);
  }
  return kinds;
}

const lengths = new Set(['miles', 'feet', 'meters']);

/** True if a number of a message can refer to limits of a field: by its unit, or because the rule tests no other field. */
function isAbout({ unit, value, text }: NamedNumber, field: string, limits: readonly NumericLimit[]): boolean {
  const of = limits.filter(({ reference }) => reference.field.name === field);
  const isOnly = of.length === limits.length;
  if (unit === undefined) {
    if (of.some((limit) => limit.unit === 'dollars'))
      return isOnly ? value >= 1000 : value >= 1000 && text.includes(',');
    return isOnly && value < 1000;
  }
  return (
    of.some((limit) => {
      if (limit.unit === undefined) return false;
      if (lengths.has(limit.unit)) return lengths.has(unit);
      if (limit.unit === 'year' || limit.unit === 'years')
        return unit === 'year' || (unit === 'years' && limit.unit === unit);
      return limit.unit === unit;
    }) && isUnambiguous(unit, field, limits)
  );
}

/** False for a number of years or days if the rule tests several fields in years or days. */
function isUnambiguous(unit: string, field: string, limits: readonly NumericLimit[]): boolean {
  if (unit !== 'years' && unit !== 'year' && unit !== 'days') return true;
  return limits.every((limit) => limit.reference.field.name === field || !/^(years?|days)$/.test(limit.unit ?? ''));
}

const metersPer: Readonly<Record<string, number>> = { miles: METERS_PER_MILE, feet: METERS_PER_FOOT, meters: 1 };

function isSame(number: NamedNumber, limit: NumericLimit, effectiveYear: number): boolean {
  const { cut, value, unit } = limit;
  if (number.unit === 'year' && unit === 'years') {
    // In 2026, older than 40 years means built before 1986; messages may be off by one.
    return Math.abs(effectiveYear - value - number.value) <= 1;
  }
  if (unit !== undefined && lengths.has(unit) && number.unit !== undefined && number.unit !== unit) {
    return isNear(number.value * metersPer[number.unit]!, value * metersPer[unit]!, 0.01);
  }
  // "Two feet below" is a limit of -2.
  if (value < 0 && number.value > 0) return isNear(number.value, -value, 1e-9);
  if (!cut) return number.value === value;
  if (number.side) return isNear(number.value, cut[number.side], 1e-9);
  return isNear(number.value, cut.below, 1e-9) || isNear(number.value, cut.above, 1e-9);
}

function isNear(a: number, b: number, share: number): boolean {
  return Math.abs(a - b) <= share * Math.max(Math.abs(a), Math.abs(b));
}

function report(context: AnalysisContext, across: RuleAcross, number: NamedNumber, limit: NumericLimit): void {
  const { rule } = across;
  const example = homeWith(context, across, limit, between(number, limit));
  context.findings.push({
    code: 'message_names_another_limit',
    path: `${rule.path}/message`,
    ruleId: rule.id,
    severity: 'warning',
    message: `The message of "${rule.id}" names ${number.text}, but the rule tests whether ${limit.words}.`,
    policyTypes: across.at.map(({ program }) => program.policyType),
    ...(example ? { example } : {}),
  });
}

function between({ value: numberValue, unit }: NamedNumber, limit: NumericLimit): number {
  const { value, unit: own } = limit;
  const inOwnUnit =
    unit === 'year' && own === 'years'
      ? value
      : unit && own && lengths.has(unit) && lengths.has(own)
        ? (numberValue * metersPer[unit]!) / metersPer[own]!
        : numberValue;
  return (inOwnUnit + value) / 2;
}
