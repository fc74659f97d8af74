/**
 * The almanac of one property: every host fact is computed once and shared by all carriers that test it.
 *
 * A fact is pending, known or unknown. It becomes unknown when its function throws or rejects, returns a value that no rule can test,
 * takes too long, or depends on its result. An unknown fact never ends a decision: it is reported, and tests of it are undecided. The
 * name is json-rules-engine's.
 */
import { quoteValue } from '@leeward/terms';
import canonicalize from 'canonicalize';
import type { Facts } from '../condition/fact-map.ts';
import { factsOfProperty } from '../condition/facts.ts';
import type { Property } from '../request/property.ts';

/** Default of `factTimeoutMs`. */
export const FACT_TIMEOUT_MS = 5_000;
/** Maximum delay of `setTimeout`, in ms. */
const MAX_TIMER_MS = 2 ** 31 - 1;

type Params = Readonly<Record<string, unknown>>;

/** Gives a host fact access to other facts while it is computed. */
export interface FactContext {
  /**
   * A fact of the home: its value or bounds, or undefined. `county` is a FIPS code, unknown if several are possible; `policy_type` is
   * the one being evaluated.
   */
  get(name: string): unknown;
  /**
   * A fact of the home or of the host, like json-rules-engine's `almanac.factValue`. Rejects with an `UnknownFactError` for an unknown
   * host fact.
   */
  factValue(name: string, params?: Params): Promise<unknown>;
  /** Aborted with the decision, or when the time for facts is over. */
  readonly signal: AbortSignal;
}

/**
 * A fact of the host: a value, or a function, possibly asynchronous, of the test's `params`. Values are JSON. Other values, including
 * undefined, are unknown.
 */
export type HostFact =
  | ((params: Params, context: FactContext) => unknown)
  | (string | number | boolean | null | undefined | readonly unknown[] | Readonly<Record<string, unknown>>);

/**
 * Reason for an unknown fact of the host. `failed`: its function threw or rejected. `timed_out`: it took longer than `factTimeoutMs`.
 * `no_value`: it is undefined. `invalid_value`: it is not JSON, or the test cannot compare it. `depends_on_unknown`: it read an unknown
 * fact. `circular`: it reads itself. `operator_failed`: an operator of the host threw.
 */
export type HostFailureReason =
  | 'failed'
  | 'timed_out'
  | 'no_value'
  | 'invalid_value'
  | 'depends_on_unknown'
  | 'circular'
  | 'operator_failed';

/** An unknown fact of the host, or an operator that failed. Without texts of errors, so it can be shown. */
export interface HostFailure {
  /** Fact or operator. */
  readonly name: string;
  readonly reason: HostFailureReason;
  /** Facts that it read. For `depends_on_unknown` the unknown fact; for `circular` the cycle, which begins and ends with this fact. */
  readonly path?: readonly string[];
}

/** A failure with its cause, for a log: the error may quote personal data. */
export interface HostFailureEvent extends HostFailure {
  /** The thrown error; for `invalid_value` an error that names the value. */
  readonly error?: unknown;
}

/** Limits on waiting for facts of the host. */
export interface FactOptions {
  /** Aborting rejects the decision with the signal's reason, and aborts the signal that facts receive. @default none */
  readonly signal?: AbortSignal;
  /**
   * Maximum total wait for facts of the host, in ms. Slower facts are unknown; `Infinity` disables the limit. @default the catalog's,
   * else 5000
   */
  readonly factTimeoutMs?: number;
  /** Facts of the same property, to decide and explain from the same values. @default a new almanac */
  readonly almanac?: Almanac;
}

/** The parts of a catalog that an almanac uses. */
export interface HostOptions {
  readonly facts?: Readonly<Record<string, HostFact>>;
  readonly factTimeoutMs?: number;
  readonly onHostFailure?: (event: HostFailureEvent) => void;
}

export interface FactUse {
  readonly name: string;
  readonly params: Params;
}

/** A recorded value of a fact. */
export interface FactAnswer extends FactUse {
  readonly policyType: string;
  readonly county: string | null;
  /** Undefined if unknown. */
  readonly value: unknown;
}

/** `FactContext.factValue` rejects with it for an unknown fact. */
export class UnknownFactError extends Error {
  override readonly name = 'UnknownFactError';
  readonly failure: HostFailure;

  constructor(failure: HostFailure) {
    super(`The fact "${failure.name}" is unknown (${failure.reason}).`);
    this.failure = failure;
  }
}

/** An error of a fact that ends the decision: a replay lacks the recorded answer. */
export class FatalFactError extends Error {}

interface Entry extends FactUse {
  readonly policyType: string;
  /** True if it read the policy type, also through other facts: then it is valid for that type only. */
  readsPolicyType: boolean;
  state: 'pending' | 'known' | 'unknown';
  value: unknown;
  failure: HostFailure | undefined;
  /** Pending facts that it waits for. */
  readonly waitsFor: Set<Entry>;
  readonly settled: Promise<void>;
  expire: () => void;
}

/** The host facts of one property. */
export class Almanac {
  readonly #facts: Readonly<Record<string, HostFact>>;
  readonly #homeFacts: (policyType: string) => Facts;
  readonly #onHostFailure: ((event: HostFailureEvent) => void) | undefined;
  readonly #signal: AbortSignal | undefined;
  #stop: AbortController | undefined;
  #factSignal: AbortSignal | undefined;
  readonly #entries = new Map<string, Entry[]>();
  readonly #failures = new Map<string, HostFailure>();
  readonly #answers = new Map<string, FactAnswer>();
  #remainingMs: number;
  #fatal: FatalFactError | undefined;

  constructor(options: HostOptions, homeFacts: (policyType: string) => Facts, { signal, factTimeoutMs }: FactOptions) {
    const timeoutMs = factTimeoutMs ?? options.factTimeoutMs ?? FACT_TIMEOUT_MS;
    if (typeof timeoutMs !== 'number' || !(timeoutMs >= 0)) {
      throw new RangeError(`factTimeoutMs is ${quoteValue(timeoutMs)}; give milliseconds from 0, or Infinity.`);
    }
    this.#facts = options.facts ?? {};
    this.#homeFacts = homeFacts;
    this.#onHostFailure = options.onHostFailure;
    this.#signal = signal;
    this.#remainingMs = timeoutMs;
  }

  /** Sorted by name. */
  get failures(): readonly HostFailure[] {
    return [...this.#failures].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, failure]) => failure);
  }

  /** The facts that tests used so far, with the policy types. */
  get answers(): readonly FactAnswer[] {
    return [...this.#answers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, answer]) => answer);
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#facts, name);
  }

  /** Computes facts concurrently. Resolves when each is known or unknown. Rejects with the reason of an aborted signal. */
  async read(uses: readonly FactUse[], policyType: string): Promise<void> {
    this.#signal?.throwIfAborted();
    const entries = uses.map(({ name, params }) => this.#entryOf(name, params, policyType));
    const pending = entries.filter(({ state }) => state === 'pending');
    if (pending.length > 0) await this.#wait(pending);
    if (this.#fatal) throw this.#fatal;
    for (const { name, params, value } of entries) this.#record({ name, params, policyType, value });
  }

  /** Undefined while the fact is unknown. */
  value(name: string, params: Params, policyType: string): unknown {
    return this.#find(factKey(name, params), policyType)?.value;
  }

  /** Reports a failure outside of a computation. */
  report(event: HostFailureEvent): void {
    if (this.#signal?.aborted) return;
    const { error, ...failure } = event;
    const key = canonicalize([failure.name, failure.reason, failure.path ?? []])!;
    if (this.#failures.has(key)) return;
    this.#failures.set(key, failure);
    try {
      this.#onHostFailure?.(event);
    } catch {
      // A log that fails must not lose the decision.
    }
  }

  #find(key: string, policyType: string): Entry | undefined {
    return this.#entries
      .get(key)
      ?.find((each) => each.policyType === policyType || (each.state !== 'pending' && !each.readsPolicyType));
  }

  #entryOf(name: string, params: Params, policyType: string): Entry {
    const key = factKey(name, params);
    const cached = this.#find(key, policyType);
    if (cached) return cached;
    const { promise, resolve } = Promise.withResolvers<void>();
    const entry: Entry = {
      name,
      params,
      policyType,
      readsPolicyType: false,
      state: 'pending',
      value: undefined,
      failure: undefined,
      waitsFor: new Set(),
      settled: promise,
      expire: () => {
        const other = [...entry.waitsFor].find(({ state }) => state !== 'known');
        const reason = other ? { reason: 'depends_on_unknown', path: [other.name] } : { reason: 'timed_out' };
        settle('unknown', undefined, { name, ...reason } as HostFailureEvent);
      },
    };
    this.#entries.set(key, [...(this.#entries.get(key) ?? []), entry]);
    const settle = (state: 'known' | 'unknown', value: unknown, event?: HostFailureEvent) => {
      if (entry.state !== 'pending') return;
      entry.state = state;
      entry.value = value;
      if (event) {
        entry.failure = { name, reason: event.reason, ...(event.path ? { path: event.path } : {}) };
        this.report(event);
      }
      resolve();
    };
    void this.#compute(entry).then(
      (value) => {
        const fault = faultOf(value);
        if (!fault) return settle('known', value);
        if (value === undefined) return settle('unknown', undefined, { name, reason: 'no_value' });
        const error = new TypeError(`The fact "${name}" is ${fault}; give a value of JSON.`);
        settle('unknown', undefined, { name, reason: 'invalid_value', error });
      },
      (error: unknown) => {
        if (error instanceof FatalFactError) this.#fatal ??= error;
        settle('unknown', undefined, failureOf(name, error));
      },
    );
    return entry;
  }

  async #compute(entry: Entry): Promise<unknown> {
    const fact = this.#facts[entry.name];
    return typeof fact === 'function' ? await fact(entry.params, this.#contextOf(entry)) : fact;
  }

  #contextOf(entry: Entry): FactContext {
    const home = () => this.#homeFacts(entry.policyType);
    const get = (name: string) => {
      if (name === 'policy_type') entry.readsPolicyType = true;
      return home().get(name);
    };
    return {
      get,
      factValue: async (name, params = {}) => {
        if (!this.has(name)) {
          if (!home().has(name)) throw new RangeError(`There is no fact ${quoteValue(name)}.`);
          return get(name);
        }
        const other = this.#entryOf(name, params, entry.policyType);
        const circle = other.state === 'pending' ? pathTo(other, entry) : undefined;
        if (circle) {
          throw new UnknownFactError({
            name,
            reason: 'circular',
            path: [entry.name, ...circle.map((each) => each.name)],
          });
        }
        entry.waitsFor.add(other);
        await other.settled;
        entry.waitsFor.delete(other);
        if (other.readsPolicyType) entry.readsPolicyType = true;
        if (other.failure) throw new UnknownFactError(other.failure);
        return other.value;
      },
      signal: this.#signalOfFacts(),
    };
  }

  #signalOfFacts(): AbortSignal {
    if (!this.#factSignal) {
      this.#stop = new AbortController();
      this.#factSignal = this.#signal ? AbortSignal.any([this.#signal, this.#stop.signal]) : this.#stop.signal;
    }
    return this.#factSignal;
  }

  async #wait(pending: readonly Entry[]): Promise<void> {
    // A fact may abort the signal before anything listens.
    this.#signal?.throwIfAborted();
    const startedMs = performance.now();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let onAbort: (() => void) | undefined;
    const ends = [Promise.all(pending.map(({ settled }) => settled)).then(() => {})];
    if (this.#remainingMs <= MAX_TIMER_MS) {
      ends.push(
        new Promise((resolve) => {
          timer = setTimeout(() => {
            this.#expire();
            resolve();
          }, this.#remainingMs);
        }),
      );
    }
    const signal = this.#signal;
    if (signal) {
      ends.push(
        new Promise((_, reject) => {
          onAbort = () => reject(signal.reason);
          signal.addEventListener('abort', onAbort, { once: true });
        }),
      );
    }
    try {
      await Promise.race(ends);
    } finally {
      clearTimeout(timer);
      if (onAbort) signal?.removeEventListener('abort', onAbort);
      this.#remainingMs = Math.max(0, this.#remainingMs - (performance.now() - startedMs));
    }
  }

  #expire(): void {
    for (const entry of [...this.#entries.values()].flat()) if (entry.state === 'pending') entry.expire();
    this.#stop?.abort(new DOMException('The time for facts of this decision is over.', 'TimeoutError'));
  }

  #record({ name, params, policyType, value }: Omit<FactAnswer, 'county'>): void {
    const county = this.#homeFacts(policyType).get('county');
    const answer = { name, params, policyType, county: typeof county === 'string' ? county : null, value };
    this.#answers.set(canonicalize([name, params, policyType, answer.county])!, answer);
  }
}

/**
 * Creates the almanac of a property. Pass the same one to `decide` and `explainDecision` for equal values.
 *
 * @example
 *  const almanac = createAlmanac(catalog, property);
 *  const decision = await catalog.decide(property, { almanac });
 *  const explanation = await explainDecision(catalog, property, decision, { almanac });
 */
export function createAlmanac(options: HostOptions, property: Property, factOptions: FactOptions = {}): Almanac {
  const county = property.counties?.length === 1 ? property.counties[0] : undefined;
  const byType = new Map<string, Facts>();
  const homeFacts = (policyType: string): Facts => {
    let facts = byType.get(policyType);
    if (!facts) {
      facts = factsOfProperty(property, policyType, county);
      byType.set(policyType, facts);
    }
    return facts;
  };
  return new Almanac(options, homeFacts, factOptions);
}

export function factKey(name: string, params: Params): string {
  return canonicalize([name, params])!;
}

function failureOf(name: string, error: unknown): HostFailureEvent {
  if (!(error instanceof UnknownFactError)) return { name, reason: 'failed', error };
  const { failure } = error;
  if (failure.reason === 'circular' && failure.path?.includes(name)) {
    const circle = failure.path.slice(1);
    const from = circle.indexOf(name);
    const path = from < 0 ? [...circle] : [...circle.slice(from), ...circle.slice(0, from)];
    return { name, reason: 'circular', path: [...path, name] };
  }
  return { name, reason: 'depends_on_unknown', path: [failure.name] };
}

/** The chain of waiting facts from one to another, if any. */
function pathTo(from: Entry, to: Entry, visited = new Set<Entry>()): readonly Entry[] | undefined {
  if (from === to) return [from];
  if (visited.has(from)) return undefined;
  visited.add(from);
  for (const next of from.waitsFor) {
    if (next.state !== 'pending') continue;
    const path = pathTo(next, to, visited);
    if (path) return [from, ...path];
  }
  return undefined;
}

/** Undefined if the value is JSON. */
function faultOf(value: unknown, ancestors: readonly object[] = []): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value);
  if (typeof value !== 'object') return value === undefined ? 'undefined' : `a ${typeof value}`;
  if (ancestors.includes(value)) return 'an object that contains itself';
  const within = [...ancestors, value];
  if (Array.isArray(value)) {
    for (const each of value) {
      const fault = faultOf(each, within);
      if (fault) return fault;
    }
    return undefined;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return 'an object of a class';
  for (const each of Object.values(value)) {
    const fault = each === undefined ? undefined : faultOf(each, within);
    if (fault) return fault;
  }
  return undefined;
}
