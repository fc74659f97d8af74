import {
  type CompiledLadder,
  type CompiledProgram,
  type CompiledRule,
  conjoin,
  difference,
  isBetter,
  isImpossible,
  placeTerm,
  statusTermsOf,
  type Term,
  widestTerms,
} from '@leeward/engine/compiled';

/** A ladder as programs for tables. */
export interface LadderPrograms {
  /** Its rules have the statuses of the ladder. */
  readonly status: CompiledProgram;
  /** Its rules are those that count if all tiers decline. */
  readonly reasons: CompiledProgram;
}

/**
 * Converts a ladder to programs without tiers: the carrier declines where all tiers decline, and refers where all tiers decline or refer.
 * Undefined if that needs too many terms.
 */
export function ladderPrograms({ whole, tiers }: CompiledLadder): LadderPrograms | undefined {
  const terms = tiers.map(({ compiled }) => statusTermsOf(compiled));
  const declining = product(terms.map((each) => each.declining));
  const failing = declining && product(terms.map((each) => [...each.declining, ...each.referring]));
  if (!failing) return undefined;
  const ruleOf = (outcome: 'decline' | 'refer', own: readonly Term[]): CompiledRule => ({
    rule: { id: outcome, outcome, code: '', message: '', condition: { kind: 'all', of: [] }, priority: 1, path: '' },
    program: undefined,
    terms: own,
  });
  return {
    status: { ...whole, demands: [], rules: [ruleOf('decline', declining), ruleOf('refer', failing)] },
    reasons: { ...whole, demands: [], rules: countingRules({ whole, tiers }) },
  };
}

/** The rules at the top, and those of a tier at the places where no worse tier is. */
function countingRules({ whole, tiers }: Pick<CompiledLadder, 'whole' | 'tiers'>): CompiledRule[] {
  const placesOf = ({ compiled }: CompiledLadder['tiers'][number]) => difference(whole.place.full, compiled.territory);
  return tiers.flatMap((tier) => {
    const worse = tiers.filter((each) => isBetter(tier, each));
    const places = worse.reduce((left, each) => difference(left, placesOf(each)), placesOf(tier));
    return tier.compiled.rules.map((each): CompiledRule => {
      const terms = each.terms.map((term) => conjoin(placeTerm(places), term)).filter((term) => !isImpossible(term));
      return { ...each, terms };
    });
  });
}

/** Maximum number of pairs and of terms of a product. */
const MAX_PAIRS = 200_000;
const MAX_TERMS = 4_000;

/** The conjunction of several disjunctions. Undefined if it has too many terms. */
function product(factors: readonly (readonly Term[])[]): readonly Term[] | undefined {
  let terms: readonly Term[] = [[]];
  for (const factor of factors) {
    if (terms.length * factor.length > MAX_PAIRS) return undefined;
    const next = terms.flatMap((one) => factor.map((other) => conjoin(one, other)));
    terms = widestTerms(next.filter((term) => !isImpossible(term)));
    if (terms.length > MAX_TERMS) return undefined;
  }
  return terms;
}
