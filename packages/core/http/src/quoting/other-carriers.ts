/*
 * Answers of other carriers as facts of a home. Each other carrier with a rate for the same form has declined, offers, has done
 * neither, or may yet do either; counts and the lowest premium are known within these bounds.
 */
import type { Decider } from '@leeward/engine';
import { between, type GivenKnowledge, testedFields } from '@leeward/engine/compiled';
import type { OtherRate } from '@leeward/quotes';

/** Facts that rules test, by field. A request's own values replace them. */
export const factsOfOthers = ['declinations', 'declination_groups', 'other_offers', 'lowest_other_premium'] as const;

const MAX_PREMIUM_DOLLARS = 10_000_000;

const tested = new WeakMap<Decider['carriers'], Map<string, ReadonlySet<string>>>();

/** The facts about other carriers, and the premium of the rate, that a carrier's rules test. */
export function testedAnswers({ carriers, vocabulary }: Decider, carrierKey: string): ReadonlySet<string> {
  const byCarrier = tested.get(carriers) ?? new Map<string, ReadonlySet<string>>();
  tested.set(carriers, byCarrier);
  let names = byCarrier.get(carrierKey);
  if (!names) {
    const isKnown = carriers.some(({ key }) => key === carrierKey);
    const all = isKnown ? testedFields(carriers, vocabulary, { carrierKey }) : [];
    names = new Set(
      all.filter((name) => name === 'own_premium' || (factsOfOthers as readonly string[]).includes(name)),
    );
    byCarrier.set(carrierKey, names);
  }
  return names;
}

/** True for a carrier that waits for others: it is not one of those for which others wait. */
export function waitsForOthers(decider: Decider, carrierKey: string): boolean {
  return factsOfOthers.some((name) => testedAnswers(decider, carrierKey).has(name));
}

type Answer =
  | { readonly kind: 'declined' | 'neither' }
  | { readonly kind: 'offer'; readonly dollars: number }
  /** Failed, not ended, or referred to an underwriter; the premium of a referral is known. */
  | { readonly kind: 'open'; readonly dollars: number | undefined };

/** The facts that follow from the rates of other carriers; empty without any. */
export function readAnswersOfOthers(
  rates: readonly OtherRate[],
  groupOf: ((carrierKey: string) => string | undefined) | undefined,
): Partial<Record<(typeof factsOfOthers)[number], GivenKnowledge>> {
  if (rates.length === 0) return {};
  const answers = [...Map.groupBy(rates, ({ carrierKey }) => carrierKey)].map(([carrierKey, own]) => ({
    carrierKey,
    answer: answerOf(own),
  }));
  const of = (...kinds: Answer['kind'][]) => answers.filter(({ answer }) => kinds.includes(answer.kind));
  const offers = of('offer').map(({ answer }) => (answer as { dollars: number }).dollars);
  const open = of('open').map(({ answer }) => (answer as { dollars: number | undefined }).dollars ?? 0);
  const lowest = Math.min(...offers, MAX_PREMIUM_DOLLARS);
  const groups = (which: readonly { readonly carrierKey: string }[]) =>
    new Set(which.map(({ carrierKey }) => groupOf?.(carrierKey) ?? `carrier ${carrierKey}`)).size;
  const declined = of('declined');
  return {
    declinations: between(declined.length, declined.length + open.length),
    // Without groups, carriers may be affiliated.
    declination_groups: between(
      groupOf ? groups(declined) : Math.min(1, declined.length),
      groups(of('declined', 'open')),
    ),
    other_offers: between(offers.length, offers.length + open.length),
    ...(offers.length + open.length > 0 ? { lowest_other_premium: between(Math.min(lowest, ...open), lowest) } : {}),
  };
}

/** One answer of a carrier with several rates. */
function answerOf(rates: readonly OtherRate[]): Answer {
  const dollars = rates.flatMap(({ outcome, premiumCents }) =>
    outcome === 'quoted' && premiumCents !== undefined ? [Number(premiumCents) / 100] : [],
  );
  if (dollars.length > 0) return { kind: 'offer', dollars: Math.min(...dollars, MAX_PREMIUM_DOLLARS) };
  const kinds = rates.map(({ outcome, messageCodes }) => {
    if (outcome !== 'declined' && outcome !== 'ineligible') return 'open';
    return messageCodes.includes('not_offered') ? 'neither' : 'declined';
  });
  if (kinds.includes('open')) {
    const premiums = rates.flatMap(({ premiumCents }) =>
      premiumCents === undefined ? [] : [Number(premiumCents) / 100],
    );
    const isPriced = premiums.length === rates.length;
    return { kind: 'open', dollars: isPriced ? Math.min(...premiums, MAX_PREMIUM_DOLLARS) : undefined };
  }
  return { kind: kinds.includes('declined') ? 'declined' : 'neither' };
}
