import { parseCents } from '@leeward/terms';
import { foldCounty } from './county-name.ts';
import type { Charge, Factor, PlanAmount, RatingProgram, Territory } from './rating-plan.ts';
import { parseDecimal } from './rational.ts';
import type { ProgramFile } from './schema.ts';

export function readProgram(file: ProgramFile): RatingProgram {
  return {
    id: file.id,
    formTypes: file.form_types,
    states: file.states,
    base: { field: file.base.field, per: parseDecimal(file.base.per)! },
    territories: file.territories.map(readTerritory),
    factors: file.factors.map(readFactor),
    minPremiumCents: parseCents(file.minimum_premium)!,
    rounding: { stepCents: parseCents(file.rounding.to)!, mode: file.rounding.mode },
    fees: (file.fees ?? []).map((fee) => readCharge(fee, false)),
    taxes: (file.taxes ?? []).map((tax) => readCharge(tax, tax.on === 'premium_and_fees')),
    coverages: (file.coverages ?? []).map(readAmount),
    deductibles: (file.deductibles ?? []).map(readAmount),
    endorsements: (file.endorsements ?? []).map(readAmount),
    validDays: file.valid_days,
    quoteUrl: file.quote_url,
  };
}

function readTerritory({ id, counties, zip_prefixes, rate }: ProgramFile['territories'][number]): Territory {
  return {
    id,
    counties:
      counties === undefined
        ? undefined
        : new Map(Object.entries(counties).map(([state, names]) => [state, new Set(names.map(foldCounty))])),
    zipPrefixes: zip_prefixes,
    rate: parseDecimal(rate)!,
  };
}

function readFactor({ id, field, values, otherwise, points, bands, missing }: ProgramFile['factors'][number]): Factor {
  const steps = (points ?? bands ?? []).map(([at, factor]) => ({ at, factor: parseDecimal(factor)! }));
  return {
    id,
    field,
    missing: missing === undefined ? undefined : parseDecimal(missing),
    table:
      values === undefined
        ? { kind: 'points', interpolated: points !== undefined, points: steps }
        : {
            kind: 'values',
            values: new Map(Object.entries(values).map(([value, factor]) => [value, parseDecimal(factor)!])),
            otherwise: otherwise === undefined ? undefined : parseDecimal(otherwise),
          },
  };
}

function readCharge(
  charge: { code: string; name: string; amount?: string | undefined; percent?: string | undefined },
  onFees: boolean,
): Charge {
  const { code, name, amount, percent } = charge;
  return { code, name, amountCents: parseCents(amount), percent: parseDecimal(percent), onFees };
}

function readAmount(line: NonNullable<ProgramFile['coverages']>[number]): PlanAmount {
  const { code, name, amount, percent_of_dwelling: percent, percent_options: options = [] } = line;
  return {
    ...{ code, name, amountCents: parseCents(amount), percentOfDwelling: parseDecimal(percent) },
    ...{ percentOptions: options.map(Number), inclusion: line.inclusion, settlement: line.settlement },
  };
}
