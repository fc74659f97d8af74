/**
 * The findings of a carrier with tiers, from those of its tiers.
 *
 * In a completion, each tier has a status. The carrier has the best of them. The tier is the one with that status; of several,
 * the one with the lowest rank. If all decline, there is no tier, and the rules of the last one count.
 */
import type { Truth } from '../condition/truth.ts';
import { isBetter, type LadderPart } from '../rule-set/ladder.ts';
import { byPriority } from '../rule-set/priority.ts';
import type { Program, Rule } from '../rule-set/rule-set.ts';
import type { Findings } from './findings.ts';
import { combineDemands, type DemandOracle, noOffers, type OfferedDemand, type OfferFindings } from './offers.ts';
import type { SettledStatus } from './verdict.ts';

/** A possible result: the status, and the part of the ladder whose rules count. Undefined outside all programs. */
export interface LadderOutcome<Part extends LadderPart> {
  readonly status: SettledStatus;
  readonly part: Part | undefined;
}

/** Demands of offers with the truth of each. */
export interface OfferSource {
  readonly demands: readonly OfferedDemand[];
  readonly oracle: DemandOracle<OfferedDemand>;
}

/** A part of a ladder, evaluated alone. */
export interface EvaluatedPart extends LadderPart {
  readonly findings: Findings;
  readonly offers: OfferSource;
}

/**
 * Combines tiers that were evaluated one by one. Sound: every completion is within the result, which may be wider, because two open tiers
 * are treated as independent. Then it is marked as conservative.
 *
 * @param rules of all parts, in the order of the file
 * @param program the first for the policy type and state; the reason for a territory names it
 */
export function combineTiers(
  parts: readonly EvaluatedPart[],
  { rules, program }: { readonly rules: readonly Rule[]; readonly program: Program },
): Findings {
  const outcomes = possibleOutcomes(parts);
  const possible = new Set(outcomes.map(({ status }) => status));
  const counting = countingParts(outcomes);
  const [only] = counting;
  const openCount = parts.filter(({ findings }) => findings.possible.size > 1).length;
  const isWide = openCount > 1 && (possible.size > 1 || counting.size > 1);
  return {
    ...(counting.size === 1 ? (only ?? parts[0]!).findings : openFindings(parts, counting, rules)),
    program,
    possible,
    missing: new Set(possible.size > 1 ? parts.flatMap(({ findings }) => [...findings.missing]) : []),
    conservative: isWide || parts.some(({ findings }) => findings.conservative),
    ...ladderOf(outcomes, parts, () => parts),
  };
}

/** The parts whose rules count in some completion. */
export function countingParts<Part extends LadderPart>(
  outcomes: readonly LadderOutcome<Part>[],
): ReadonlySet<Part | undefined> {
  return new Set(outcomes.map(({ part }) => part));
}

/** @param evaluate returns the parts, each evaluated alone. Called on demand */
export function ladderOf<Part extends LadderPart>(
  outcomes: readonly LadderOutcome<Part>[],
  parts: readonly LadderPart[],
  evaluate: () => readonly (LadderPart & { readonly findings: Findings })[],
): Pick<Findings, 'ladder'> {
  if (!parts.some(({ tier }) => tier)) return {};
  const taking = outcomes.filter(({ status }) => status !== 'ineligible');
  const named = new Set(taking.map(({ part }) => part?.tier));
  const counting = [...countingParts(outcomes)];
  return {
    ladder: {
      possible: parts.flatMap(({ tier }) => (tier && named.has(tier) ? [tier] : [])),
      isSettled: taking.length === outcomes.length && named.size === 1,
      last: taking.length === 0 && counting.length === 1 ? counting[0]?.tier : undefined,
      evaluate: () =>
        evaluate().flatMap(({ tier, findings }) =>
          tier && findings.territory !== 'true' ? [{ program: tier, findings }] : [],
        ),
    },
  };
}

function possibleOutcomes(parts: readonly EvaluatedPart[]): LadderOutcome<EvaluatedPart>[] {
  const outcomes: LadderOutcome<EvaluatedPart>[] = [];
  const can = ({ findings }: EvaluatedPart, status: SettledStatus) => findings.possible.has(status);
  const canFail = (part: EvaluatedPart) => can(part, 'referral') || can(part, 'ineligible');
  for (const part of parts) {
    const better = parts.filter((each) => isBetter(each, part));
    const worse = parts.filter((each) => isBetter(part, each));
    if (can(part, 'eligible') && better.every(canFail)) outcomes.push({ status: 'eligible', part });
    if (can(part, 'referral') && better.every((each) => can(each, 'ineligible')) && worse.every(canFail))
      outcomes.push({ status: 'referral', part });
    const canBeLast =
      part.findings.territory !== 'true' && worse.every(({ findings }) => findings.territory !== 'false');
    if (canBeLast && parts.every((each) => can(each, 'ineligible'))) outcomes.push({ status: 'ineligible', part });
  }
  if (parts.every(({ findings }) => findings.territory !== 'false'))
    outcomes.push({ status: 'ineligible', part: undefined });
  return outcomes;
}

/** The rules of several parts count, each in some completions. */
function openFindings(
  parts: readonly EvaluatedPart[],
  counting: ReadonlySet<EvaluatedPart | undefined>,
  order: readonly Rule[],
): Omit<Findings, 'possible' | 'missing' | 'conservative' | 'program'> {
  const truths = new Map<Rule, Truth>();
  const ownerOf = new Map<Rule, LadderPart>();
  for (const part of parts) {
    for (const rule of part.programs.flatMap(({ rules }) => rules)) ownerOf.set(rule, part);
  }
  for (const part of parts) {
    for (const { rule, truth } of part.findings.rules) {
      const owner = ownerOf.get(rule);
      if (owner) truths.set(rule, truth !== 'false' && counting.has(part) ? 'undecided' : 'false');
      else truths.set(rule, eitherOf(truths.get(rule), truth));
    }
  }
  const territories = parts.map((each) => each.findings.territory);
  return {
    rules: byPriority(order, (rule) => rule).flatMap((rule) => {
      const truth = truths.get(rule);
      return truth ? [{ rule, truth }] : [];
    }),
    territory: territories.includes('false') ? 'false' : territories.includes('undecided') ? 'undecided' : 'true',
    moratoria: parts[0]!.findings.moratoria,
    offers: offersOf(parts, counting, ownerOf),
  };
}

/** True for one part means true in every completion. */
function eitherOf(one: Truth | undefined, other: Truth): Truth {
  if (one === undefined || one === other) return other;
  return one === 'true' || other === 'true' ? 'true' : 'undecided';
}

function offersOf(
  parts: readonly EvaluatedPart[],
  counting: ReadonlySet<EvaluatedPart | undefined>,
  ownerOf: ReadonlyMap<Rule, LadderPart>,
): OfferFindings {
  const offered = parts.flatMap((part) => (counting.has(part) ? part.offers.demands : []));
  const demands = [...new Map(offered.map((each) => [each.demand, each])).values()];
  if (demands.length === 0) return noOffers;
  const truthOf = (part: EvaluatedPart | undefined, some: readonly OfferedDemand[]) => {
    const own = some.filter(({ rule }) => [undefined, part].includes(ownerOf.get(rule) as EvaluatedPart | undefined));
    return own.length > 0 && part ? part.offers.oracle.truthOf(own) : { truth: 'false' as const, isExact: true };
  };
  return combineDemands(demands, {
    truthOf: (some) => {
      const answers = [...counting].map((part) => truthOf(part, some));
      return {
        truth: answers.every(({ truth }) => truth === answers[0]!.truth) ? answers[0]!.truth : 'undecided',
        isExact: answers.every(({ isExact }) => isExact),
      };
    },
    missingOf: (some) => parts.flatMap((part) => [...part.offers.oracle.missingOf(some)]),
  });
}
