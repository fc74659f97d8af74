import { checkRequest, type SoldLines } from '@leeward/terms';
import type { z } from 'zod';
import { AdministrationError } from '../administration-error.ts';
import type { AccountStore } from '../store/account-store.ts';
import type { OrganizationRulesReader } from '../store-directory.ts';
import { type Actor, type Authority, authorityOf, refuseForeign } from './authority.ts';
import { type Idempotency, readIdempotency } from './idempotency.ts';
import type { Limits } from './limits.ts';

/** The request behind a call. */
export interface CallContext {
  /** Stored in the audit log. */
  readonly requestId?: string | undefined;
  /** Network of the client, for the audit log. If omitted, unknown. Ignored for the host. */
  readonly network?: string | undefined;
  /** Aborted when the caller stops waiting; nothing is written from then on. */
  readonly signal?: AbortSignal | undefined;
  /** Called just before the commit. May throw to prevent it. */
  readonly beforeCommit?: (() => void) | undefined;
  /** For 24 hours, the same key with the same body returns the first answer. */
  readonly idempotencyKey?: string | undefined;
}

/** One operation of an administrator. */
export interface Operation<Response = unknown> {
  /** `teams.create` */
  readonly name: string;
  /** `/v1/admin/teams/create` */
  readonly path: string;
  readonly summary: string;
  readonly takesIdempotencyKey: boolean;
  readonly request: z.ZodType;
  readonly response: z.ZodType<Response>;
  /** @throws {AdministrationError} With all faults; nothing is changed then. */
  run(actor: Actor, body: unknown, context?: CallContext): Promise<Response>;
}

/** Carrier keys of the instance; others are refused on entry. */
export interface CarrierCatalog {
  has(carrierKey: string): boolean;
}

/** Store, clock and settings of operations. */
export interface Services {
  readonly store: AccountStore;
  readonly readOrganizationRules: OrganizationRulesReader | undefined;
  readonly catalog: CarrierCatalog | undefined;
  readonly lines: SoldLines;
  readonly environment: string;
  readonly limits: Limits;
  /** Maximum lifetime of new tokens. undefined: any. */
  readonly tokenMaxDays: number | undefined;
  readonly now: () => number;
  readonly newId: () => string;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** One run of an operation. */
export interface Call<S extends Services = Services> {
  readonly services: S;
  readonly authority: Authority;
  readonly requestId: string | null;
  /** Network of the client, or name of the host; null: unknown. */
  readonly network: string | null;
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

/** The path follows from the name: `rule_sets.list` → `/v1/admin/rule-sets/list`. */
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
        network: authority.actorType === 'system' ? authority.actorId : (context.network ?? null),
        atMs: services.now(),
        signal: context.signal,
        idempotency: takesIdempotencyKey ? readIdempotency(context.idempotencyKey, body) : undefined,
      };
      return perform(call, parsed);
    },
  };
}

/** Writes nothing after the caller stopped waiting. */
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

/** Other identifiers are not stored. */
function saneRequestId(requestId: string | undefined): string | null {
  return requestId !== undefined && /^[\x21-\x7e]{1,200}$/.test(requestId) ? requestId : null;
}

/**
 * Faults name only the kind of a value, which may be personal data.
 *
 * @throws {AdministrationError} `invalid_request` with all faults.
 */
function parseRequest<Request>(schema: z.ZodType<Request>, body: unknown): Request {
  const checked = checkRequest(schema, body ?? {}, { isPrivate: true });
  if (checked.ok) return checked.request;
  throw new AdministrationError('invalid_request', checked.faults);
}
