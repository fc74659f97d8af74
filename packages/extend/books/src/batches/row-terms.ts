import type { Catalog, Decision, PossibleVerdictTerm, VerdictTerm } from '@leeward/engine';

/** The terms of one carrier for one row, by name. */
export interface RowTerms {
  readonly terms: Readonly<Record<string, WrittenBounds>>;
  /** Stricter terms that depend on missing fields. */
  readonly possibleTerms: Readonly<Record<string, WrittenBounds & { readonly fields: readonly string[] }>>;
}

/** Bounds of a term, with the names of HTTP. */
export interface WrittenBounds {
  readonly min?: number;
  readonly max?: number;
  readonly applies?: true;
  readonly one_of?: readonly string[];
  readonly may_exclude?: readonly string[];
}

/** Indexes of the carriers with offers. */
export function offeringCarriers({ carriers }: Pick<Catalog, 'carriers'>): readonly number[] {
  return carriers.flatMap(({ versions }, carrier) => {
    const rules = versions.flatMap(({ ruleSet }) => [ruleSet.rules, ...ruleSet.programs.map((each) => each.rules)]);
    return rules.flat().some(({ outcome }) => outcome === 'offer') ? [carrier] : [];
  });
}

/** The terms of a decision, by index of the carrier. */
export function termsOf({ verdicts }: Decision, places: ReadonlyMap<string, number>): ReadonlyMap<number, RowTerms> {
  const byCarrier = new Map<number, RowTerms>();
  for (const { carrierKey, terms = {}, possibleTerms = {} } of verdicts) {
    const certain = mapValues(terms, writeBounds);
    const possible = mapValues(possibleTerms, (term) => ({ ...writeBounds(term), fields: term.fields }));
    if (Object.keys(certain).length + Object.keys(possible).length > 0)
      byCarrier.set(places.get(carrierKey)!, { terms: certain, possibleTerms: possible });
  }
  return byCarrier;
}

function writeBounds({
  min,
  max,
  applies,
  oneOf,
  mayExclude,
}: VerdictTerm & Partial<PossibleVerdictTerm>): WrittenBounds {
  return {
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(applies === undefined ? {} : { applies }),
    ...(oneOf === undefined ? {} : { one_of: oneOf }),
    ...(mayExclude === undefined ? {} : { may_exclude: mayExclude }),
  };
}

function mapValues<From, To>(from: Readonly<Record<string, From>>, write: (one: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(from).map(([name, one]) => [name, write(one)]));
}
