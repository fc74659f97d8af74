import type { SoldLines } from '@leeward/terms';
import type { z } from 'zod';
import type { AccountStore } from '../store/account-store.ts';
import type { OrganizationRulesReader } from '../store-directory.ts';
import { type Actor, type Authority, authorityOf, refuseForeign } from './authority.ts';
import { type Idempotency, readIdempotency } from './idempotency.ts';
import type { Limits } from './limits.ts';
import { parseRequest } from './request-faults.ts';

/** The request behind a call of administration. */
export interface CallContext {
  /** Kept in the audit log, to find the request by. */
  readonly requestId?: string | undefined;
  /** Aborted when the caller stops waiting for the answer: nothing is written from then on. */
  readonly signal?: AbortSignal | undefined;
  /** Called when everything is about to be written for good: the answer must wait for it from here on. May throw instead. */
  readonly beforeCommit?: (() => void) | undefined;
  /** For operations that accept one: for 24 hours, the same key with the same body returns the first answer. */
  readonly idempotencyKey?: string | undefined;
}

/** One thing an administrator may do: what it takes, what it answers, and doing it. */
export interface Operation<Response = unknown> {
  /** `teams.create` */
  readonly name: string;
  /** `/v1/admin/teams/create` */
  readonly path: string;
  readonly summary: string;
  /** True if it takes an `idempotencyKey`. */
  readonly takesIdempotencyKey: boolean;
  readonly request: z.ZodType;
  readonly response: z.ZodType<Response>;
  /**
   * Does it, for a body as it came over the wire.
   *
   * @throws {AdministrationError} with the status and all faults when it is refused; nothing is changed then.
   */
  run(actor: Actor, body: unknown, context?: CallContext): Promise<Response>;
}

/** The carriers that the instance offers to all. Used to refuse misspelt keys on entry. */
export interface CarrierCatalog {
  has(carrierKey: string): boolean;
}

/** Store, clock and settings of operations. */
export interface Services {
  readonly store: AccountStore;
  readonly readOrganizationRules: OrganizationRulesReader | undefined;
  readonly catalog: CarrierCatalog | undefined;
  /** Lines whose policy types can be appointed. */
  readonly lines: SoldLines;
  readonly environment: string;
  readonly limits: Limits;
  readonly now: () => number;
  readonly newId: () => string;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** One run of an operation. */
export interface Call<S extends Services = Services> {
  readonly services: S;
  readonly authority: Authority;
  readonly requestId: string | null;
  readonly atMs: number;
  readonly signal: AbortSignal | undefined;
  readonly idempotency: Idempotency | undefined;
}

interface Definition<Request, Response, S extends Services> {
  readonly name: string;
  readonly summary: string;
  readonly takesIdempotencyKey?: boolean;
  readonly request: z.ZodType<Request>;
  readonly response: z.ZodType<Response>;
  readonly perform: (call: Call<S>, request: Request) => Promise<Response>;
}

/** Makes an operation. Its path follows from the name: `rule_sets.list` → `/v1/admin/rule-sets/list`. */
export function createOperation<Request, Response, S extends Services>(
  services: S,
  { name, summary, request, response, perform, takesIdempotencyKey = false }: Definition<Request, Response, S>,
): Operation<Response> {
  return {
    name,
    path: `/v1/admin/${name.replace('.', '/').replaceAll('_', '-')}`,
    summary,
    takesIdempotencyKey,
    request,
    response,
    async run(actor, body, context = {}) {
      const authority = authorityOf(actor);
      refuseForeign(authority, body);
      const parsed = parseRequest(request, body);
      const call: Call<S> = {
        services: { ...services, store: endingWith(services.store, context) },
        authority,
        requestId: saneRequestId(context.requestId),
        atMs: services.now(),
        signal: context.signal,
        idempotency: takesIdempotencyKey ? readIdempotency(context.idempotencyKey, body) : undefined,
      };
      return perform(call, parsed);
    },
  };
}

/** A store that writes nothing for a caller who waits no longer. */
function endingWith(store: AccountStore, { signal, beforeCommit }: CallContext): AccountStore {
  return {
    ...store,
    write: (work) =>
      store.write(async (writer) => {
        const result = await work(writer);
        signal?.throwIfAborted();
        beforeCommit?.();
        return result;
      }),
  };
}

/** Visible ASCII of some length; anything else is not worth keeping. */
function saneRequestId(requestId: string | undefined): string | null {
  return requestId !== undefined && /^[\x21-\x7e]{1,200}$/.test(requestId) ? requestId : null;
}
