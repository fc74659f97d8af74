import type { AmountLine, Indication, IndicationRequest } from '@leeward/quotes';
import type { Cents, JsonValue } from '@leeward/terms';
import { foldCounty } from './county-name.ts';
import { derivedFrom, ratingFact } from './rating-facts.ts';
import type { Charge, Factor, PlanAmount, RatingProgram, Territory } from './rating-plan.ts';
import { between, divide, isLess, multiply, parseDecimal, type Rational, roundTo } from './rational.ts';

export interface Rated {
  /** With fees and taxes. */
  readonly totalCents: Cents;
  /** Without. */
  readonly premiumCents: Cents;
  readonly territory: string;
  /** Fees, then taxes. */
  readonly fees: readonly AmountLine[];
  readonly coverages: readonly AmountLine[];
  readonly deductibles: readonly AmountLine[];
  readonly endorsements: readonly AmountLine[];
}

export type NotRated = { readonly reason: 'territory' } | { readonly reason: 'field'; readonly field: string };

const cent: Rational = { numerator: 1n, denominator: 1n };
const hundredth: Rational = { numerator: 1n, denominator: 100n };

/**
 * Base rate × exposure × all factors, at least the minimum premium, rounded once; then fees and taxes, each rounded half up to the cent.
 * Exact up to the rounding.
 */
export function rate(program: RatingProgram, request: IndicationRequest): Rated | NotRated {
  const territory = program.territories.find((each) => lies(request, each));
  if (territory === undefined) return { reason: 'territory' };
  const exposure = parseDecimal(ratingFact(request, program.base.field));
  if (exposure === undefined) return { reason: 'field', field: program.base.field };
  let dollars = multiply(territory.rate, divide(exposure, program.base.per));
  for (const factor of program.factors) {
    const multiplier = multiplierOf(factor, ratingFact(request, factor.field));
    if (multiplier === undefined) return { reason: 'field', field: factor.field };
    dollars = multiply(dollars, multiplier);
  }
  const premiumCents = roundPremium(program, dollars);
  const dwelling = parseDecimal(ratingFact(request, 'dwelling_a'));
  return {
    premiumCents,
    ...charge(program, premiumCents),
    territory: territory.id,
    coverages: program.coverages.map((line) => amountLine(line, dwelling, request)),
    deductibles: program.deductibles.map((line) => amountLine(line, dwelling, request)),
    endorsements: program.endorsements.map((line) => amountLine(line, dwelling, request)),
  };
}

const one: Rational = { numerator: 1n, denominator: 1n };

/**
 * Like `rate`, with every value that a missing field can have: the lowest and the highest premium. The usual premium has the factor 1 for
 * such a field, or the nearest that its table has.
 */
export function indicate(program: RatingProgram, request: IndicationRequest): Indication | undefined {
  const territory = program.territories.find((each) => lies(request, each));
  const exposure = parseDecimal(ratingFact(request, program.base.field));
  if (territory === undefined || exposure === undefined) return undefined;
  const start = multiply(territory.rate, divide(exposure, program.base.per));
  let [min, usual, max] = [start, start, start];
  const missingFields = new Set<string>();
  for (const factor of program.factors) {
    const multiplier = multiplierOf(factor, ratingFact(request, factor.field));
    const { lowest, highest } =
      multiplier === undefined ? boundsOf(factor) : { lowest: multiplier, highest: multiplier };
    min = multiply(min, lowest);
    max = multiply(max, highest);
    usual = multiply(usual, multiplier ?? (isLess(one, lowest) ? lowest : isLess(highest, one) ? highest : one));
    if (multiplier === undefined) missingFields.add(sourceOf(factor.field));
  }
  const totalOf = (dollars: Rational) => charge(program, roundPremium(program, dollars)).totalCents;
  return {
    premiumCents: totalOf(usual),
    minCents: totalOf(min),
    maxCents: totalOf(max),
    missingFields: [...missingFields],
  };
}

function boundsOf({ table }: Factor): { readonly lowest: Rational; readonly highest: Rational } {
  const factors =
    table.kind === 'points'
      ? table.points.map(({ factor }) => factor)
      : [...table.values.values(), ...(table.otherwise ? [table.otherwise] : [])];
  return {
    lowest: factors.reduce((a, b) => (isLess(b, a) ? b : a)),
    highest: factors.reduce((a, b) => (isLess(a, b) ? b : a)),
  };
}

const sourceOf = (field: string): string =>
  Object.hasOwn(derivedFrom, field) ? derivedFrom[field as keyof typeof derivedFrom] : field;

/** Adds fees and taxes. */
function charge(program: RatingProgram, premiumCents: Cents) {
  const fees = program.fees.map((fee) => chargeLine(fee, premiumCents));
  const feesCents = sum(fees);
  const taxes = program.taxes.map((tax) => chargeLine(tax, tax.onFees ? premiumCents + feesCents : premiumCents));
  return { fees: [...fees, ...taxes], totalCents: premiumCents + feesCents + sum(taxes) };
}

function lies(request: IndicationRequest, territory: Territory): boolean {
  const { counties, zipPrefixes } = territory;
  if (counties === undefined && zipPrefixes === undefined) return true;
  const { state, county, zipcode } = request.fields;
  const inCounty =
    typeof county === 'string' && counties?.get(String(state).toLowerCase())?.has(foldCounty(county)) === true;
  return inCounty || zipPrefixes?.some((prefix) => String(zipcode).startsWith(prefix)) === true;
}

function multiplierOf({ table, missing }: Factor, value: JsonValue | undefined): Rational | undefined {
  if (value === undefined) return missing;
  if (table.kind === 'values') return table.values.get(String(value)) ?? table.otherwise;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return missing;
  const { points, interpolated } = table;
  const next = points.findIndex((point) => point.at > number);
  const last = points.at(-1);
  if (next === -1) return last?.factor;
  const to = points[next]!;
  const from = points[next - 1];
  if (from === undefined) return to.factor;
  if (!interpolated) return from.factor;
  return between(from.factor, to.factor, share(number, from.at, to.at));
}

function share(value: number, from: number, to: number): Rational {
  const scale = 1e6;
  const numerator = BigInt(Math.round((value - from) * scale));
  const denominator = BigInt(Math.round((to - from) * scale));
  return denominator === 0n ? { numerator: 0n, denominator: 1n } : { numerator, denominator };
}

function roundPremium(program: RatingProgram, dollars: Rational): Cents {
  const cents = multiply(dollars, { numerator: 100n, denominator: 1n });
  const minimum: Rational = { numerator: program.minPremiumCents, denominator: 1n };
  const { stepCents, mode } = program.rounding;
  const step: Rational = { numerator: stepCents, denominator: 1n };
  if (!isLess(cents, minimum)) return roundTo(cents, step, mode) * stepCents;
  // Down would go below the minimum.
  return roundTo(minimum, step, 'up') * stepCents;
}

function chargeLine({ code, name, amountCents, percent }: Charge, onCents: Cents): AmountLine {
  return { code, name, amountCents: amountCents ?? percentOf(percent, onCents) };
}

function amountLine(line: PlanAmount, dwelling: Rational | undefined, request: IndicationRequest): AmountLine {
  const { code, name, amountCents, percentOptions, inclusion, settlement } = line;
  const requested = ratingFact(request, `requested_coverages.${code}.percent`);
  const isOption = typeof requested === 'number' && percentOptions.includes(requested);
  const percent = isOption ? parseDecimal(requested) : line.percentOfDwelling;
  const dwellingCents = dwelling === undefined ? 0n : (dwelling.numerator * 100n) / dwelling.denominator;
  return {
    ...{ code, name },
    ...(amountCents !== undefined && { amountCents }),
    ...(percent !== undefined && { amountCents: percentOf(percent, dwellingCents) }),
    // Coverage A itself is an amount.
    ...(percent !== undefined &&
      code !== 'dwelling' && { percent: Number(percent.numerator) / Number(percent.denominator) }),
    ...(inclusion && { inclusion }),
    ...(settlement && { settlement }),
  };
}

function percentOf(percent: Rational | undefined, cents: Cents): Cents {
  if (percent === undefined) return 0n;
  const share = multiply(multiply({ numerator: cents, denominator: 1n }, percent), hundredth);
  return roundTo(share, cent, 'half_up');
}

function sum(lines: readonly AmountLine[]): Cents {
  return lines.reduce((total, { amountCents = 0n }) => total + amountCents, 0n);
}
