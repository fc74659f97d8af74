import type { FormType } from '@leeward/terms';
import { type Cents, formatCents, formatMicros } from '@leeward/terms';
import { type AmountLine, type OpenRequirement, type RateType, rateTypes } from '../ports/carrier-adapter.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { StoredQuote, StoredRate } from '../store/read-quotes.ts';
import { type WireStatus, wireStatus } from './rate.ts';

/** A column: a rate with a premium. */
export interface ComparedRate {
  readonly id: string;
  readonly carrier: string;
  readonly carrier_key: string;
  readonly form_type: FormType;
  readonly outcome: Outcome | null;
  readonly premium: string;
  /** Null for a referral with a premium. */
  readonly rate_type: RateType | null;
  readonly expires_at: string | null;
  readonly subject_to: readonly OpenRequirement[];
}

/** Sections of a comparison. */
export type ComparedSection = 'coverages' | 'deductibles' | 'fees';

/** A row: the amount of each rate under one code. */
export interface ComparedLine {
  readonly section: ComparedSection;
  readonly code: string;
  readonly name: string;
  readonly requested: string | null;
  /** In the order of `rates`; null if the code is not listed. */
  readonly amounts: readonly (string | null)[];
  /** All listed amounts are equal. */
  readonly same: boolean;
  /** Ids of rates. */
  readonly differs_from_request: readonly string[];
}

/** Premiums of one rate type. */
export interface PremiumRange {
  readonly count: number;
  readonly min: string | null;
  readonly max: string | null;
}

/** Comparison of a quote's rates. */
export interface QuoteComparison {
  readonly quote_request_id: string;
  readonly service_quote_id: string;
  readonly status: 'processing' | 'complete';
  /** Lowest premium first. */
  readonly rates: readonly ComparedRate[];
  readonly lines: readonly ComparedLine[];
  /** Form type, coverages and deductibles. `unknown` if a rate lists no coverages, or with fewer than two rates. */
  readonly coverage_basis: 'same' | 'different' | 'unknown';
  /** For example `form_type` or `coverages/dwelling`. */
  readonly basis_differences: readonly string[];
  readonly premiums: Readonly<Record<RateType, PremiumRange>>;
  readonly without_premium: readonly {
    readonly id: string;
    readonly carrier: string;
    readonly carrier_key: string;
    readonly form_type: FormType;
    readonly status: WireStatus;
    readonly outcome: Outcome | null;
  }[];
}

const sections: readonly ComparedSection[] = ['coverages', 'deductibles', 'fees'];

type PricedRate = StoredRate & { readonly premiumCents: Cents };

/**
 * @param all Rates that a retry replaced are omitted. @param dwellingCents Coverage A of the request; undefined if erased or unreadable.
 */
export function presentComparison(
  quote: StoredQuote,
  all: readonly StoredRate[],
  dwellingCents: Cents | undefined,
): QuoteComparison {
  const rates = all.filter((rate) => rate.supersededBy === undefined);
  const priced = rates.filter((rate): rate is PricedRate => rate.premiumCents !== undefined).toSorted(byPremium);
  const lines = sections.flatMap((section) => compareLines(section, priced, dwellingCents));
  const differing = [
    ...(new Set(priced.map((rate) => rate.formType)).size > 1 ? ['form_type'] : []),
    ...lines.filter((line) => line.section !== 'fees' && !line.same).map(({ section, code }) => `${section}/${code}`),
  ];
  const isKnown = priced.length > 1 && priced.every((rate) => (rate.answer?.coverages?.length ?? 0) > 0);
  return {
    quote_request_id: quote.id,
    service_quote_id: quote.serviceQuoteId,
    status: rates.some((rate) => wireStatus(rate) === 'processing') ? 'processing' : 'complete',
    rates: priced.map((rate) => ({
      ...identify(rate),
      premium: formatCents(rate.premiumCents),
      rate_type: rate.answer?.rateType ?? null,
      expires_at: rate.answer?.expiresAt === undefined ? null : formatMicros(rate.answer.expiresAt),
      subject_to: rate.answer?.subjectTo ?? [],
    })),
    lines,
    coverage_basis: differing.length > 0 ? 'different' : isKnown ? 'same' : 'unknown',
    basis_differences: differing,
    premiums: premiumRanges(rates),
    without_premium: rates
      .filter((rate) => rate.premiumCents === undefined)
      .map((rate) => ({ ...identify(rate), status: wireStatus(rate) })),
  };
}

/** A referral's premium does not count. */
function premiumRanges(rates: readonly StoredRate[]): Readonly<Record<RateType, PremiumRange>> {
  const ranges = rateTypes.map((type): [RateType, PremiumRange] => {
    const premiums = rates
      .filter((rate): rate is PricedRate => rate.outcome === 'quoted' && rate.premiumCents !== undefined)
      .filter((rate) => (rate.answer?.rateType ?? 'indication') === type)
      .toSorted(byPremium);
    const text = (rate: PricedRate | undefined) => (rate === undefined ? null : formatCents(rate.premiumCents));
    return [type, { count: premiums.length, min: text(premiums[0]), max: text(premiums.at(-1)) }];
  });
  return Object.fromEntries(ranges) as Record<RateType, PremiumRange>;
}

function compareLines(
  section: ComparedSection,
  rates: readonly PricedRate[],
  dwellingCents: Cents | undefined,
): ComparedLine[] {
  const listed = rates.map((rate) => new Map((rate.answer?.[section] ?? []).map((line) => [line.code, line])));
  const named = new Map<string, AmountLine>();
  for (const lines of listed) for (const [code, line] of lines) if (!named.has(code)) named.set(code, line);
  return [...named.values()].map(({ code, name }) => {
    const amounts = listed.map((lines) => lines.get(code)?.amountCents);
    // Coverage A is the one amount that a request names.
    const requested = section === 'coverages' && code === 'dwelling' ? dwellingCents : undefined;
    const counted = amounts.filter((_, index) => listed[index]!.size > 0);
    return {
      section,
      code,
      name,
      requested: requested === undefined ? null : formatCents(requested),
      amounts: amounts.map((amount) => (amount === undefined ? null : formatCents(amount))),
      same: counted.every((amount) => amount === counted[0]),
      differs_from_request:
        requested === undefined
          ? []
          : rates.filter((_, at) => amounts[at] !== undefined && amounts[at] !== requested).map(({ id }) => id),
    };
  });
}

function identify(rate: StoredRate) {
  const { id, carrier, carrierKey, formType, outcome } = rate;
  return { id, carrier, carrier_key: carrierKey, form_type: formType, outcome: outcome ?? null };
}

function byPremium(a: PricedRate, b: PricedRate): number {
  if (a.premiumCents === b.premiumCents) return 0;
  return a.premiumCents < b.premiumCents ? -1 : 1;
}
