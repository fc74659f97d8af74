import { type FormType, fold } from '@leeward/terms';
import type { CarrierAdapter, CarrierLimits } from '../ports/carrier-adapter.ts';
import type { Appointment } from '../ports/team-directory.ts';
import { homesOnly, type QuotedLines } from './quoted-line.ts';

export interface CatalogCarrier {
  readonly adapter: CarrierAdapter;
  readonly limits: CarrierLimits;
  /** Offered in at least one state, in catalog order. */
  readonly formTypes: readonly FormType[];
}

/** Why a carrier is not called for a form type. */
export type SkipCode =
  | 'form_type_not_offered'
  | 'state_not_offered'
  | 'form_type_not_appointed'
  | 'state_not_appointed';

/** The carriers of a host, by key or name. */
export interface CarrierCatalog {
  readonly carriers: readonly CatalogCarrier[];
  find(keyOrName: string): CatalogCarrier | undefined;
  get(key: string): CatalogCarrier | undefined;
}

/**
 * Collects the carriers of a host. @throws {TypeError} if a key is malformed, or two carriers share a key or name.
 * @example
 * const catalog = createCarrierCatalog([adapter]);
 */
export function createCarrierCatalog(
  adapters: readonly CarrierAdapter[],
  { formTypes }: QuotedLines = homesOnly,
): CarrierCatalog {
  const bySpelling = new Map<string, CatalogCarrier>();
  const byKey = new Map<string, CatalogCarrier>();
  for (const adapter of adapters) {
    if (!/^[a-z][a-z0-9_]{0,63}$/.test(adapter.key)) {
      throw new TypeError(
        `A carrier has the key ${JSON.stringify(adapter.key)}; give lower-case letters, digits and underscores, as bayou_mutual.`,
      );
    }
    if (
      adapter.name.trim() === '' ||
      adapter.name.length > 200 ||
      !adapter.name.isWellFormed() ||
      adapter.name.includes('\0')
    ) {
      throw new TypeError(`The carrier ${adapter.key} needs a name of 1 to 200 characters.`);
    }
    const offered = new Set(adapter.offers.flatMap((offer) => offer.formTypes));
    const unknown = [...offered].find((formType) => !formTypes.includes(formType));
    if (unknown !== undefined)
      throw new TypeError(`The carrier ${adapter.key} offers the unknown form type "${unknown}".`);
    const carrier = { adapter, limits: limitsOf(adapter), formTypes: formTypes.filter((each) => offered.has(each)) };
    for (const spelling of new Set([fold(adapter.key), fold(adapter.name)])) {
      const other = bySpelling.get(spelling);
      if (other !== undefined) {
        throw new TypeError(
          `The carriers ${other.adapter.key} and ${adapter.key} share the key or name "${spelling}".`,
        );
      }
      bySpelling.set(spelling, carrier);
    }
    byKey.set(adapter.key, carrier);
  }
  return {
    carriers: [...byKey.values()],
    find: (keyOrName) => (keyOrName.length <= 200 ? bySpelling.get(fold(keyOrName)) : undefined),
    get: (key) => byKey.get(key),
  };
}

/** @returns undefined if the carrier is called. */
export function skipReason(
  carrier: CatalogCarrier,
  appointments: readonly Appointment[],
  formType: FormType,
  state: string,
): SkipCode | undefined {
  const offers = carrier.adapter.offers.filter((offer) => offer.formTypes.includes(formType));
  if (offers.length === 0) return 'form_type_not_offered';
  if (!offers.some((offer) => allows(offer.states, state))) return 'state_not_offered';
  const forForm = appointments.filter((appointment) => allows(appointment.formTypes, formType));
  if (forForm.length === 0) return 'form_type_not_appointed';
  return forForm.some((appointment) => allows(appointment.states, state)) ? undefined : 'state_not_appointed';
}

function allows(list: readonly string[] | undefined, value: string): boolean {
  return list === undefined || list.some((item) => fold(item) === fold(value));
}

const defaults: CarrierLimits = {
  concurrency: 8,
  deadlineMs: 30_000,
  maxAttempts: 4,
  backoff: { initialMs: 500, maxMs: 30_000 },
  rateLimit: undefined,
  quotas: [],
  maxCooldownMs: 60_000,
  maxPendingMs: 30 * 86_400_000,
  breaker: { failures: 8, cooldownMs: 10_000 },
};

/** Applies the defaults. @throws {TypeError} if a limit is out of range; names the carrier. */
function limitsOf(carrier: CarrierAdapter): CarrierLimits {
  const ownLimits = Object.entries(carrier.limits ?? {}).filter(([, value]) => value !== undefined);
  const limits: CarrierLimits = { ...defaults, ...Object.fromEntries(ownLimits) };
  const { backoff, breaker, rateLimit } = limits;
  const check = (name: string, value: number, from: number, to: number, whole: boolean) => {
    if (value >= from && value <= to && (!whole || Number.isInteger(value))) return;
    throw new TypeError(
      `The limit ${name} of the carrier ${carrier.key} is ${value}; give ${whole ? 'a whole number' : 'a number'} from ${from} to ${to}.`,
    );
  };
  check('concurrency', limits.concurrency, 1, 10_000, true);
  check('deadlineMs', limits.deadlineMs, 1, 3_600_000, false);
  check('maxAttempts', limits.maxAttempts, 1, 100, true);
  check('backoff.initialMs', backoff.initialMs, 0, 3_600_000, false);
  check('backoff.maxMs', backoff.maxMs, backoff.initialMs, 3_600_000, false);
  check('maxCooldownMs', limits.maxCooldownMs, 0, 86_400_000, false);
  check('maxPendingMs', limits.maxPendingMs, 1, 400 * 86_400_000, false);
  check('breaker.failures', breaker.failures, 1, 1_000_000, true);
  check('breaker.cooldownMs', breaker.cooldownMs, 1, 3_600_000, false);
  for (const { requests, per } of limits.quotas) check(`quotas (a ${per})`, requests, 1, 1_000_000_000, true);
  if (rateLimit !== undefined) {
    check('rateLimit.calls', rateLimit.calls, 1, 1_000_000, true);
    check('rateLimit.perMs', rateLimit.perMs, 1, 86_400_000, false);
    check('rateLimit.burst', rateLimit.burst ?? 1, 1, rateLimit.calls, true);
  }
  return limits;
}
