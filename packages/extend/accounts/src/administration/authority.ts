import { isBlank } from '@leeward/terms';
import { AdministrationError, invalid, notFound } from '../administration-error.ts';
import type { Caller } from '../directory.ts';
import { isIdentifier } from '../identifier.ts';
import { type Scope, scopesOfOrganizations } from '../vocabulary/scopes.ts';

/** The holder of a token, or the host. */
export type Actor = Caller | SystemActor;

/** The host has the rights of an operator, and creates operators. */
export interface SystemActor {
  /** Its name in the audit log: `command line`. */
  readonly system: string;
}

/** Rights of an actor. */
export interface Authority {
  readonly actorType: 'token' | 'system';
  readonly actorId: string;
  /** The person who holds the token; null without one. */
  readonly userId: string | null;
  /** undefined: all organizations. */
  readonly organizationId: string | undefined;
  /** Scopes that it may grant. */
  readonly grants: ReadonlySet<Scope>;
  readonly mayApprove: boolean;
}

/** @throws {AdministrationError} `forbidden` for a token with neither `admin` nor `operator`. */
export function authorityOf(actor: Actor): Authority {
  if ('system' in actor) {
    const grants = new Set<Scope>([...scopesOfOrganizations, 'operator']);
    const host = { actorType: 'system', actorId: actor.system, userId: null } as const;
    return { ...host, organizationId: undefined, grants, mayApprove: true };
  }
  const { scopes, organizationId } = actor;
  const holder = { actorType: 'token', actorId: actor.tokenId, userId: actor.userId ?? null } as const;
  if (scopes.has('operator') && organizationId === null) {
    // Only the command line makes operators.
    const grants = new Set(scopesOfOrganizations);
    return { ...holder, organizationId: undefined, grants, mayApprove: true };
  }
  if (!scopes.has('admin') || organizationId === null) throw forbidden('admin', 'operator');
  const mayApprove = scopes.has('approve');
  // With a second token an administrator could approve his rules.
  const grants = new Set([...scopes].filter((scope) => scope !== 'approve'));
  return { ...holder, organizationId, grants, mayApprove };
}

/** Status 403, for a token that lacks all of these scopes. */
export function forbidden(...scopes: readonly Scope[]): AdministrationError {
  const message = `This token lacks the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`;
  return new AdministrationError('forbidden', [{ path: '', code: 'scope_missing', message }]);
}

/** Refuses other organizations before other faults, so that answers reveal nothing about them. */
export function refuseForeign(authority: Authority, body: unknown): void {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, 'organization_id')) return;
  const { organization_id: requested } = body as { organization_id: unknown };
  if (typeof requested === 'string' && !isBlank(requested) && !mayReach(authority, requested)) throw notFound();
}

/** The requested organization, or the actor's. */
export function organizationOf(authority: Authority, requested: string | null | undefined): string {
  const organizationId = requested ?? authority.organizationId;
  if (organizationId === undefined) throw invalid('/organization_id', 'required', 'is required of an operator.');
  if (!mayReach(authority, organizationId)) throw notFound();
  return organizationId;
}

/** False for organizations of others; null is the instance. */
export function mayReach(authority: Authority, organizationId: string | null): boolean {
  if (authority.organizationId === undefined) return organizationId === null || isIdentifier(organizationId);
  return organizationId === authority.organizationId;
}
