import { type Cents, type FormType, formatCents, formatMicros, type JsonObject } from '@leeward/terms';
import {
  type AmountLine,
  type FinancialStrength,
  type OpenRequirement,
  type RateType,
  rateTypes,
} from '../ports/carrier-adapter.ts';
import type { Outcome } from '../ports/outcome.ts';
import { requestedCoveragesOf } from '../request/requested-coverages.ts';
import type { StoredQuote, StoredRate } from '../store/read-quotes.ts';
import { presentInitials, presentInsured, type QuoteInsured } from './quote-list.ts';
import {
  type CoverageValue,
  presentCoverage,
  presentFullRate,
  presentMessages,
  type WireDocument,
  type WireMessage,
  type WireStatus,
  type WireTerm,
  wireStatus,
} from './rate.ts';

/** A column: a rate with a premium. */
export interface ComparedRate {
  readonly id: string;
  readonly carrier: string;
  readonly carrier_key: string;
  readonly form_type: FormType;
  readonly outcome: Outcome | null;
  /** For one year with fees and taxes. */
  readonly premium: string;
  /** Without the listed fees and taxes; null if none are listed. */
  readonly premium_before_fees: string | null;
  readonly term_months: 12;
  /** Null for a referral with a premium. */
  readonly rate_type: RateType | null;
  readonly effective_date: string;
  readonly expires_at: string | null;
  readonly subject_to: readonly OpenRequirement[];
  readonly terms: readonly WireTerm[];
  /** The rate violates a term of the carrier's rules. */
  readonly violates_terms: boolean;
  readonly carrier_quote_number: string | null;
  readonly carrier_quote_url: string | null;
  readonly bridge_url: string | null;
  readonly documents: readonly WireDocument[];
  readonly carrier_response_messages: readonly WireMessage[] | null;
  /** Null if unknown. */
  readonly financial_strength: WireFinancialStrength | null;
}

/** Rating of a carrier's ability to pay claims. */
export interface WireFinancialStrength {
  readonly agency: string;
  readonly rating: string;
  readonly as_of: string | null;
}

/** Sections of a comparison. */
export type ComparedSection = 'coverages' | 'deductibles' | 'endorsements' | 'fees';

/** A row: the amount of each rate under one code. */
export interface ComparedLine {
  readonly section: ComparedSection;
  readonly code: string;
  readonly name: string;
  readonly requested: string | null;
  /** In the order of `rates`; null if the code is not listed. */
  readonly amounts: readonly (string | null)[];
  /** In the order of `rates`; null if the code is not listed. */
  readonly values: readonly (CoverageValue | null)[];
  readonly requested_value: CoverageValue | null;
  /** All listed values are equal. */
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
  readonly effective_date: string;
  readonly requote_of: string | null;
  /** For example `DM`. Null if the personal data is erased or unreadable. */
  readonly insured_initials: string | null;
  /** Null unless requested, or if erased or unreadable. */
  readonly insured: QuoteInsured | null;
  /** Lowest premium first. */
  readonly rates: readonly ComparedRate[];
  readonly lines: readonly ComparedLine[];
  /** Form type, coverages, deductibles and endorsements. `unknown` if a rate lists no coverages, or with fewer than two rates. */
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

const sections: readonly ComparedSection[] = ['coverages', 'deductibles', 'endorsements', 'fees'];

type PricedRate = StoredRate & { readonly premiumCents: Cents };

/** Selection and additional data of a comparison. */
export interface ComparisonContext {
  /** Fields of the request; undefined if erased or unreadable. */
  readonly fields?: JsonObject | undefined;
  readonly strengths?: ReadonlyMap<string, FinancialStrength> | undefined;
  /** @default all */
  readonly formType?: FormType | undefined;
  /** Only lines in which rates differ from one another or from the request. @default false */
  readonly differencesOnly?: boolean | undefined;
  /** @default false */
  readonly showsInsured?: boolean | undefined;
}

/** @param all Rates that a retry replaced are omitted. */
export function presentComparison(
  quote: StoredQuote,
  all: readonly StoredRate[],
  { fields, strengths, formType, differencesOnly = false, showsInsured = false }: ComparisonContext = {},
): QuoteComparison {
  const current = all.filter((rate) => rate.supersededBy === undefined);
  const rates = current.filter((rate) => formType === undefined || rate.formType === formType);
  const priced = rates.filter((rate): rate is PricedRate => rate.premiumCents !== undefined).toSorted(byPremium);
  const requested = requestedLines(fields);
  const lines = sections.flatMap((section) => compareLines(section, priced, requested));
  const differing = [
    ...(new Set(priced.map((rate) => rate.formType)).size > 1 ? ['form_type'] : []),
    ...lines.filter((line) => line.section !== 'fees' && !line.same).map(({ section, code }) => `${section}/${code}`),
  ];
  const isKnown = priced.length > 1 && priced.every((rate) => (rate.answer?.coverages?.length ?? 0) > 0);
  return {
    quote_request_id: quote.id,
    service_quote_id: quote.serviceQuoteId,
    status: rates.some((rate) => wireStatus(rate) === 'processing') ? 'processing' : 'complete',
    effective_date: quote.effectiveDate,
    requote_of: quote.requoteOf ?? null,
    insured_initials: presentInitials(fields),
    insured: fields === undefined || !showsInsured ? null : presentInsured(fields),
    rates: priced.map((rate) => presentColumn(rate, quote, strengths?.get(rate.carrierKey))),
    lines: differencesOnly
      ? lines.filter(({ same, differs_from_request }) => !same || differs_from_request.length > 0)
      : lines,
    coverage_basis: differing.length > 0 ? 'different' : isKnown ? 'same' : 'unknown',
    basis_differences: differing,
    premiums: premiumRanges(rates),
    without_premium: rates
      .filter((rate) => rate.premiumCents === undefined)
      .map((rate) => ({ ...identify(rate), status: wireStatus(rate) })),
  };
}

function presentColumn(rate: PricedRate, quote: StoredQuote, strength: FinancialStrength | undefined): ComparedRate {
  const { premiumCents, answer } = rate;
  const { carrier_quote_number, carrier_quote_url, bridge_url, documents, terms } = presentFullRate(rate, quote);
  const fees = answer?.fees?.reduce((sum, { amountCents = 0n }) => sum + amountCents, 0n);
  return {
    ...identify(rate),
    premium: formatCents(premiumCents),
    premium_before_fees: fees === undefined ? null : formatCents(premiumCents - fees),
    term_months: 12,
    rate_type: answer?.rateType ?? null,
    effective_date: quote.effectiveDate,
    expires_at: answer?.expiresAt === undefined ? null : formatMicros(answer.expiresAt),
    subject_to: answer?.subjectTo ?? [],
    terms,
    violates_terms: terms.some(({ result }) => result === 'violated'),
    ...{ carrier_quote_number, carrier_quote_url, bridge_url, documents: documents ?? [] },
    carrier_response_messages: presentMessages(rate),
    financial_strength: strength
      ? { agency: strength.agency, rating: strength.rating, as_of: strength.asOf ?? null }
      : null,
  };
}

type Requested = Omit<AmountLine, 'code' | 'name'>;

function requestedLines(fields: JsonObject | undefined): ReadonlyMap<string, Requested> {
  const dwelling = fields?.['dwelling_a'];
  const lines = new Map<string, Requested>();
  if (typeof dwelling === 'number') lines.set('dwelling', { amountCents: BigInt(dwelling) * 100n });
  for (const [code, { amount, percent, percent_of, inclusion, settlement }] of requestedCoveragesOf(fields)) {
    lines.set(code, {
      ...lines.get(code),
      ...(amount != null && { amountCents: BigInt(amount) * 100n }),
      ...(percent != null && { percent, percentOf: percent_of ?? 'dwelling' }),
      ...(inclusion != null && { inclusion }),
      ...(settlement != null && { settlement }),
    });
  }
  return lines;
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
  requestedByCode: ReadonlyMap<string, Requested>,
): ComparedLine[] {
  const listed = rates.map((rate) => new Map((rate.answer?.[section] ?? []).map((line) => [line.code, line])));
  const named = new Map<string, AmountLine>();
  for (const lines of listed) for (const [code, line] of lines) if (!named.has(code)) named.set(code, line);
  // Carriers list coverages in many orders: by name, coverage A is first.
  const ordered = [...named.values()].toSorted((a, b) => (section === 'fees' ? 0 : compareNames(a.name, b.name)));
  return ordered.map(({ code, name }) => {
    const values = listed.map((lines) => lines.get(code));
    const requested = section === 'fees' ? undefined : requestedByCode.get(code);
    const counted = values.filter((_, index) => listed[index]!.size > 0).map(textOfValue);
    const texts = values.map((value) => (value === undefined ? null : presentCoverage(value)));
    const requestedValue = requested === undefined ? null : presentCoverage(requested);
    return {
      section,
      code,
      name,
      requested: requestedValue?.amount ?? null,
      requested_value: requestedValue,
      amounts: texts.map((value) => value?.amount ?? null),
      values: texts,
      same: counted.every((text) => text === counted[0]),
      differs_from_request: rates.filter((_, at) => differs(values[at], requested)).map(({ id }) => id),
    };
  });
}

function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Percentages with a known amount are compared by it. */
function textOfValue(value: AmountLine | undefined): string {
  if (value === undefined) return '';
  const { amountCents, percent, percentOf, inclusion, settlement } = value;
  const size = amountCents ?? (percent === undefined ? undefined : `${percent} % of ${percentOf}`);
  return [size, inclusion === 'included' && size !== undefined ? undefined : inclusion, settlement].join();
}

/** A carrier that does not state what was requested differs, unless it does not list the code. */
function differs(value: AmountLine | undefined, requested: Requested | undefined): boolean {
  if (value === undefined || requested === undefined) return false;
  const { amountCents, percent, percentOf, inclusion, settlement } = requested;
  const isExcluded = value.inclusion === 'excluded' || value.inclusion === 'not_offered';
  if (inclusion !== undefined && isExcluded !== (inclusion === 'excluded')) return true;
  if (settlement !== undefined && value.settlement !== settlement) return true;
  if (amountCents !== undefined && value.amountCents !== amountCents) return true;
  return percent !== undefined && (value.percent !== percent || value.percentOf !== percentOf);
}

function identify(rate: StoredRate) {
  const { id, carrier, carrierKey, formType, outcome } = rate;
  return { id, carrier, carrier_key: carrierKey, form_type: formType, outcome: outcome ?? null };
}

function byPremium(a: PricedRate, b: PricedRate): number {
  if (a.premiumCents === b.premiumCents) return 0;
  return a.premiumCents < b.premiumCents ? -1 : 1;
}
