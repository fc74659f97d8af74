/**
 * The terms of a verdict: the bounds of all offers together, by term.
 *
 * A bound is certain if, for every value of the unknown fields, some offer demands it or a stricter one; several offers can do so
 * jointly. It is possible if for some values an offer demands it.
 */
import type { Truth } from '../condition/truth.ts';
import type { Demand, DemandedTerm, TermBounds } from '../rule-set/demand.ts';
import type { Rule } from '../rule-set/rule-set.ts';

export interface OfferedDemand {
  readonly rule: Rule;
  readonly demand: Demand;
}

export interface TermFinding {
  readonly term: DemandedTerm;
  readonly bounds: TermBounds;
  readonly rules: readonly Rule[];
}

/** A possible bound, with the request names that it depends on. */
export interface PossibleTermFinding extends TermFinding {
  /** For a term with words: those that some offer may exclude, without the certainly excluded ones. */
  readonly mayExclude?: readonly string[];
  readonly missing: ReadonlySet<string>;
}

export interface OfferFindings {
  readonly certain: readonly TermFinding[];
  /** Stricter bounds than the certain ones. */
  readonly possible: readonly PossibleTermFinding[];
  /** True if a search was cut off: certain bounds may be stricter than reported, and possible ones weaker. */
  readonly isUnsure: boolean;
}

export const noOffers: OfferFindings = Object.freeze({ certain: [], possible: [], isUnsure: false });

export interface DemandOracle<Each extends OfferedDemand> {
  /** Truth that one or more of the demands apply. */
  truthOf(demands: readonly Each[]): { readonly truth: Truth; readonly isExact: boolean };
  /** Request names of unknown fields that demands depend on. */
  missingOf(demands: readonly Each[]): Iterable<string>;
}

export function combineDemands<Each extends OfferedDemand>(
  demands: readonly Each[],
  oracle: DemandOracle<Each>,
): OfferFindings {
  const byTerm = new Map<string, Each[]>();
  for (const each of demands) {
    const { name } = each.demand.term;
    const list = byTerm.get(name);
    if (list) list.push(each);
    else byTerm.set(name, [each]);
  }
  const certain: TermFinding[] = [];
  const possible: PossibleTermFinding[] = [];
  let isUnsure = false;
  for (const some of byTerm.values()) {
    const combined = combineTerm(some, oracle);
    if (combined.isUnsure) isUnsure = true;
    if (combined.certain) certain.push(combined.certain);
    if (combined.possible) possible.push(combined.possible);
  }
  return certain.length === 0 && possible.length === 0 && !isUnsure ? noOffers : { certain, possible, isUnsure };
}

interface Combined {
  readonly certain: TermFinding | undefined;
  readonly possible: PossibleTermFinding | undefined;
  readonly isUnsure: boolean;
}

interface Part<Each> {
  readonly certain?: { readonly bounds: TermBounds; readonly by: readonly Each[] };
  readonly possible?: {
    readonly bounds: TermBounds;
    readonly mayExclude?: readonly string[];
    readonly by: readonly Each[];
    readonly dependent: readonly Each[];
  };
}

interface Weighed<Each> {
  readonly each: Each;
  readonly isCertain: boolean;
}

function combineTerm<Each extends OfferedDemand>(demands: readonly Each[], oracle: DemandOracle<Each>): Combined {
  let isUnsure = false;
  const truthOf = (some: readonly Each[]): Truth => {
    if (some.length === 0) return 'false';
    const { truth, isExact } = oracle.truthOf(some);
    if (!isExact) isUnsure = true;
    return truth;
  };
  const weighed: Weighed<Each>[] = [];
  for (const each of demands) {
    const truth = truthOf([each]);
    if (truth !== 'false') weighed.push({ each, isCertain: truth === 'true' });
  }
  if (weighed.length === 0) return { certain: undefined, possible: undefined, isUnsure };
  const isTrue = (some: readonly Each[]) => truthOf(some) === 'true';
  const parts = [
    combineLimits(weighed, 'min', isTrue),
    combineLimits(weighed, 'max', isTrue),
    combineWords(weighed, isTrue),
    combineFlags(weighed, isTrue),
  ];
  const certainParts = parts.flatMap(({ certain }) => certain ?? []);
  const possibleParts = parts.flatMap(({ possible }) => possible ?? []);
  const { term } = demands[0]!.demand;
  const mayExclude = possibleParts.find((part) => part.mayExclude)?.mayExclude;
  return {
    certain:
      certainParts.length === 0
        ? undefined
        : {
            term,
            bounds: Object.assign({}, ...certainParts.map(({ bounds }) => bounds)) as TermBounds,
            rules: rulesOf(certainParts.flatMap(({ by }) => by)),
          },
    possible:
      possibleParts.length === 0
        ? undefined
        : {
            term,
            bounds: Object.assign({}, ...possibleParts.map(({ bounds }) => bounds)) as TermBounds,
            ...(mayExclude ? { mayExclude } : {}),
            rules: rulesOf(possibleParts.flatMap(({ by }) => by)),
            missing: new Set(oracle.missingOf(possibleParts.flatMap(({ dependent }) => dependent))),
          },
    isUnsure,
  };
}

function rulesOf(demands: readonly OfferedDemand[]): Rule[] {
  return [...new Set(demands.map(({ rule }) => rule))];
}

function combineLimits<Each extends OfferedDemand>(
  weighed: readonly Weighed<Each>[],
  kind: 'min' | 'max',
  isTrue: (some: readonly Each[]) => boolean,
): Part<Each> {
  const limitOf = ({ demand: { bound } }: Each) => (bound.kind === 'min' || bound.kind === 'max' ? bound.value : 0);
  const strictestFirst = weighed
    .filter(({ each }) => each.demand.bound.kind === kind)
    .sort((a, b) => (kind === 'min' ? limitOf(b.each) - limitOf(a.each) : limitOf(a.each) - limitOf(b.each)));
  if (strictestFirst.length === 0) return {};
  const limits = [...new Set(strictestFirst.map(({ each }) => limitOf(each)))];
  const upTo = (index: number) => {
    const limit = limits[index]!;
    return strictestFirst.filter(({ each }) => (kind === 'min' ? limitOf(each) >= limit : limitOf(each) <= limit));
  };
  // The weaker a bound, the more demands reach it: bisect for the strictest certain one.
  const single = strictestFirst.find(({ isCertain }) => isCertain);
  let certainAt = single ? limits.indexOf(limitOf(single.each)) : limits.length;
  let low = 0;
  let high = certainAt - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    if (isTrue(upTo(middle).map(({ each }) => each))) {
      certainAt = middle;
      high = middle - 1;
    } else low = middle + 1;
  }
  const reaching = certainAt < limits.length ? upTo(certainAt) : [];
  const alone = reaching.filter(({ isCertain }) => isCertain);
  const strictest = strictestFirst.filter(({ each }) => limitOf(each) === limits[0]);
  return {
    ...(certainAt < limits.length
      ? {
          certain: {
            bounds: { [kind]: limits[certainAt]! },
            by: (alone.length > 0 ? alone : reaching).map(({ each }) => each),
          },
        }
      : {}),
    ...(certainAt > 0
      ? {
          possible: {
            bounds: { [kind]: limits[0]! },
            by: strictest.map(({ each }) => each),
            dependent: strictestFirst
              .filter(({ each, isCertain }) => !isCertain && limits.indexOf(limitOf(each)) < certainAt)
              .map(({ each }) => each),
          },
        }
      : {}),
  };
}

function combineWords<Each extends OfferedDemand>(
  weighed: readonly Weighed<Each>[],
  isTrue: (some: readonly Each[]) => boolean,
): Part<Each> {
  const lists = weighed.filter(({ each }) => each.demand.bound.kind === 'words');
  if (lists.length === 0) return {};
  const wordsOf = ({ demand: { bound } }: Each) => (bound.kind === 'words' ? bound.words : []);
  const { words } = lists[0]!.each.demand.term;
  // For a custom term without registered words, any other word.
  const all = words ?? [...new Set(lists.flatMap(({ each }) => wordsOf(each))), OTHER];
  const excluded: string[] = [];
  const mayExclude: string[] = [];
  const by = new Set<Each>();
  const open = new Set<Each>();
  for (const word of all) {
    const against = lists.filter(({ each }) => !wordsOf(each).includes(word));
    if (against.length === 0) continue;
    const alone = against.filter(({ isCertain }) => isCertain);
    const some = (alone.length > 0 ? alone : against).map(({ each }) => each);
    const isCertain = alone.length > 0 || isTrue(some);
    (isCertain ? excluded : mayExclude).push(word);
    for (const each of some) (isCertain ? by : open).add(each);
  }
  const remaining = all.filter((word) => word !== OTHER && !excluded.includes(word));
  return {
    ...(excluded.length > 0 ? { certain: { bounds: { oneOf: remaining }, by: [...by] } } : {}),
    ...(mayExclude.length > 0
      ? {
          possible: {
            bounds: {},
            mayExclude: mayExclude.filter((word) => word !== OTHER),
            by: [...open],
            dependent: [...open],
          },
        }
      : {}),
  };
}

/** Stands for every word that no rule names. Words of rules are not empty. */
const OTHER = '';

function combineFlags<Each extends OfferedDemand>(
  weighed: readonly Weighed<Each>[],
  isTrue: (some: readonly Each[]) => boolean,
): Part<Each> {
  const flags = weighed.filter(({ each }) => each.demand.bound.kind === 'applies');
  if (flags.length === 0) return {};
  const bounds = { applies: true } as const;
  const alone = flags.filter(({ isCertain }) => isCertain);
  const by = (alone.length > 0 ? alone : flags).map(({ each }) => each);
  return alone.length > 0 || isTrue(by) ? { certain: { bounds, by } } : { possible: { bounds, by, dependent: by } };
}
