import { isBlank } from '@leeward/terms';
import { AdministrationError, invalid, notFound } from '../administration-error.ts';
import type { Caller } from '../directory.ts';
import { isIdentifier } from '../identifier.ts';
import type { Scope } from '../vocabulary/scopes.ts';

/** Who asks for a change: whoever presented a token, or the host itself. */
export type Actor = Caller | SystemActor;

/** The host, at its command line or in its own program: it may do what an operator may, and make operators. */
export interface SystemActor {
  /** What the audit log calls it: `command line`. */
  readonly system: string;
}

/** What an actor may change. */
export interface Authority {
  readonly actorType: 'token' | 'system';
  readonly actorId: string;
  /** The only organization that exists for this actor; undefined: all do. */
  readonly organizationId: string | undefined;
  /** Scopes it may hand on. */
  readonly grants: ReadonlySet<Scope>;
}

const ofOrganizations: readonly Scope[] = ['underwrite', 'quote', 'distance', 'rules', 'admin'];

/** @throws {AdministrationError} `forbidden` for a token with neither `admin` nor `operator`. */
export function authorityOf(actor: Actor): Authority {
  if ('system' in actor) {
    const grants = new Set<Scope>([...ofOrganizations, 'operator']);
    return { actorType: 'system', actorId: actor.system, organizationId: undefined, grants };
  }
  const { tokenId, scopes, organizationId } = actor;
  if (scopes.has('operator') && organizationId === null) {
    // Operators are made at the command line only.
    return { actorType: 'token', actorId: tokenId, organizationId: undefined, grants: new Set(ofOrganizations) };
  }
  if (!scopes.has('admin') || organizationId === null) throw forbidden('admin or operator');
  return { actorType: 'token', actorId: tokenId, organizationId, grants: scopes };
}

export function forbidden(scope: string): AdministrationError {
  const message = `This takes a token with the scope ${scope}.`;
  return new AdministrationError('forbidden', [{ path: '', code: 'scope_missing', message }]);
}

/**
 * Refuses another's organization before anything else of the body is looked at, so that nothing about the answer
 * depends on whether it exists.
 */
export function refuseForeign(authority: Authority, body: unknown): void {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, 'organization_id')) return;
  const { organization_id: requested } = body as { organization_id: unknown };
  if (typeof requested === 'string' && !isBlank(requested) && !mayReach(authority, requested)) throw notFound();
}

/** The organization a request is about: the one it names, or the only one there is for the actor. */
export function organizationOf(authority: Authority, requested: string | null | undefined): string {
  const organizationId = requested ?? authority.organizationId;
  if (organizationId === undefined) throw invalid('/organization_id', 'required', 'is required of an operator.');
  if (!mayReach(authority, organizationId)) throw notFound();
  return organizationId;
}

export function mayReach(authority: Authority, organizationId: string | null): boolean {
  if (authority.organizationId === undefined) return organizationId === null || isIdentifier(organizationId);
  return organizationId === authority.organizationId;
}
