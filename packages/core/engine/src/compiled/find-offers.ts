import type { Property } from '../request/property.ts';
import { combineDemands, type DemandOracle, noOffers, type OfferFindings } from '../verdict/offers.ts';
import type { CompiledDemand, CompiledProgram } from './compile-program.ts';
import { type Encoded, encode, isPossible, partDefinite } from './encode.ts';
import { missingNamesOf, truthOfRequirement } from './exact-truth.ts';
import { createVisitBudget } from './settle.ts';

/** Maximum number of visits of terms for all offers of a verdict, which are searched in one piece of about 20 ms. */
const MAX_VISITS = 80_000;

export function findOffers(
  program: CompiledProgram,
  property: Property,
  at: Encoded = encode(program, property),
): OfferFindings {
  if (program.demands.length === 0) return noOffers;
  return combineDemands(program.demands, demandOracle(program, property, at));
}

export function demandOracle(program: CompiledProgram, property: Property, at: Encoded): DemandOracle<CompiledDemand> {
  const budget = createVisitBudget(MAX_VISITS);
  return {
    truthOf: (demands) => {
      const [only] = demands;
      const terms = demands.length === 1 ? only!.terms : demands.flatMap((each) => each.terms);
      return truthOfRequirement(terms, at, at.sets, budget);
    },
    missingOf: (demands) => missingNamesOf(openAxes(demands, at), program, property),
  };
}

export function openAxes(demands: readonly CompiledDemand[], at: Encoded): ReadonlySet<number> {
  const axes = new Set<number>();
  for (const { terms } of demands) {
    for (const term of terms) {
      if (!isPossible(term, at)) continue;
      for (const part of term) if (!partDefinite(part, at)) axes.add(part.axis);
    }
  }
  return axes;
}
