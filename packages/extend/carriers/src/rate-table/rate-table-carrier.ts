import { createHash } from 'node:crypto';
import type {
  CarrierAdapter,
  CarrierAnswer,
  CarrierLimits,
  CarrierRequest,
  Clock,
  IndicationRequest,
  Offer,
  VerdictSource,
} from '@leeward/quotes';
import { withVerdict } from '@leeward/quotes';
import { formatMicros, MAX_PREMIUM_CENTS, MICROS_PER_MS } from '@leeward/terms';
import { indicate, type NotRated, type Rated, rate } from './rate.ts';
import type { RatingPlan, RatingProgram } from './rating-plan.ts';

const DAY_MS = 86_400_000;
/** Arithmetic plus the carrier's rules; a slower call is lost with its worker and retried. */
const usualLimits = { concurrency: 32, deadlineMs: 10_000 } as const;

/** Plans of one carrier, and its rules. */
export interface RateTableOptions {
  /** Uses the newest plan in force on the effective date. */
  readonly plans: readonly [RatingPlan, ...RatingPlan[]];
  /** The carrier's rules, before rating. @default none */
  readonly verdictSource?: VerdictSource | undefined;
  /** @default 32 concurrent calls, 10 s */
  readonly limits?: Partial<CarrierLimits> | undefined;
  /** For the expiry of quotes. @default the system's clock */
  readonly clock?: Clock | undefined;
}

/**
 * Computes premiums from rating plans; makes no network calls.
 * @example
 * createRateTableCarrier({ plans: [plan] });
 */
export function createRateTableCarrier(options: RateTableOptions): CarrierAdapter {
  const { plans, verdictSource, limits, clock } = options;
  const [first] = plans;
  const stranger = plans.find((plan) => plan.carrierKey !== first.carrierKey);
  if (stranger !== undefined) {
    throw new TypeError(`The rating plans belong to two carriers: ${first.carrierKey} and ${stranger.carrierKey}.`);
  }
  const twin = plans.find(
    (plan, index) => plans.findIndex((each) => each.effectiveFrom === plan.effectiveFrom) < index,
  );
  if (twin !== undefined) {
    throw new TypeError(`Two rating plans of ${twin.carrierKey} start on ${twin.effectiveFrom}.`);
  }
  const adapter: CarrierAdapter = {
    key: first.carrierKey,
    name: first.carrierName,
    offers: plans.flatMap((plan) =>
      plan.programs.map((program): Offer => ({ formTypes: program.formTypes, states: program.states })),
    ),
    idempotent: true,
    limits: { ...usualLimits, ...limits },
    financialStrength: () => plans.findLast((plan) => plan.financialStrength !== undefined)?.financialStrength,
    indicate(request) {
      const program = programFor(planFor(plans, request), request);
      return program && indicate(program, request);
    },
    async quote(request, { signal }) {
      signal.throwIfAborted();
      const nowMs = clock === undefined ? Date.now() : clock.nowMicros() / MICROS_PER_MS;
      return answer(plans, request, nowMs);
    },
  };
  return verdictSource === undefined ? adapter : withVerdict(adapter, verdictSource);
}

/** The newest plan in force. */
function planFor(plans: readonly RatingPlan[], { effectiveDate: date }: IndicationRequest): RatingPlan | undefined {
  return plans
    .filter((plan) => plan.effectiveFrom <= date && (plan.effectiveUntil === undefined || date < plan.effectiveUntil))
    .toSorted((a, b) => (a.effectiveFrom < b.effectiveFrom ? 1 : -1))[0];
}

function programFor(plan: RatingPlan | undefined, { fields, formType }: IndicationRequest): RatingProgram | undefined {
  const state = String(fields['state']).toLowerCase();
  return plan?.programs.find((each) => each.formTypes.includes(formType) && each.states.includes(state));
}

function answer(plans: readonly RatingPlan[], request: CarrierRequest, nowMs: number): CarrierAnswer {
  const plan = planFor(plans, request);
  if (plan === undefined) {
    return declined('not_in_force', `No rates are in force on ${request.effectiveDate}.`, 'effective_date');
  }
  const program = programFor(plan, request);
  if (program === undefined) return declined('not_offered', `No rates for ${request.formType} in this state.`, 'state');
  const rated = rate(program, request);
  if ('reason' in rated) return notRated(rated);
  if (rated.totalCents > MAX_PREMIUM_CENTS) {
    return declined('premium_too_high', 'The premium exceeds the maximum of this carrier.', null);
  }
  return quoted(plan, program, rated, request, nowMs);
}

function quoted(
  plan: RatingPlan,
  program: RatingProgram,
  rated: Rated,
  request: CarrierRequest,
  nowMs: number,
): CarrierAnswer {
  const number = quoteNumber(plan.carrierKey, request.rateId);
  return {
    outcome: 'quoted',
    premiumCents: rated.totalCents,
    carrierQuoteNumber: number,
    carrierQuoteUrl: program.quoteUrl?.replaceAll('{number}', number),
    coverages: rated.coverages,
    deductibles: rated.deductibles,
    ...(rated.endorsements.length > 0 && { endorsements: rated.endorsements }),
    fees: rated.fees,
    expiresAt: formatMicros(Math.floor(nowMs + program.validDays * DAY_MS) * MICROS_PER_MS),
    rateType: 'bindable',
  };
}

/** Deterministic: repeated calls give one number. */
function quoteNumber(carrierKey: string, rateId: string): string {
  const initials = carrierKey
    .split('_')
    .map((word) => word.slice(0, 1))
    .join('')
    .toUpperCase();
  return `${initials}-${createHash('sha256').update(`${carrierKey} ${rateId}`).digest('hex').slice(0, 10).toUpperCase()}`;
}

function notRated(reason: NotRated): CarrierAnswer {
  if (reason.reason === 'territory') return declined('territory', 'No rates for this county.', 'county');
  const message = `${reason.field} is needed to rate this home.`;
  return {
    outcome: 'needs_information',
    messages: [{ level: 'error', code: 'missing_field', message, field: reason.field }],
  };
}

function declined(code: string, message: string, field: string | null): CarrierAnswer {
  return { outcome: 'declined', messages: [{ level: 'error', code, message, field }] };
}
