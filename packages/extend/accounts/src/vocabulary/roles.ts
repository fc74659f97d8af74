import type { Scope } from './scopes.ts';

/** Jobs of people. Each role is a set of scopes. */
export const roles = ['viewer', 'author', 'approver', 'agent', 'administrator', 'operator'] as const;
export type Role = (typeof roles)[number];

/** A role of a person, perhaps only in a team. */
export interface HeldRole {
  readonly role: Role;
  readonly team_id: string | null;
}

export const scopesOfRole: { readonly [R in Role]: readonly Scope[] } = {
  viewer: ['underwrite', 'distance', 'rules'],
  author: ['underwrite', 'distance', 'rules', 'admin'],
  approver: ['underwrite', 'distance', 'rules', 'admin', 'approve'],
  agent: ['underwrite', 'quote', 'distance'],
  administrator: ['underwrite', 'quote', 'insured', 'distance', 'rules', 'admin'],
  operator: ['underwrite', 'distance', 'rules', 'operator'],
};

/** Scopes that the roles allow: in the organization, and with a team also those of the team. */
export function scopesOfRoles(userRoles: readonly HeldRole[], teamId: string | null): ReadonlySet<Scope> {
  const inForce = userRoles.filter(({ team_id }) => team_id === null || team_id === teamId);
  return new Set(inForce.flatMap(({ role }) => scopesOfRole[role]));
}
