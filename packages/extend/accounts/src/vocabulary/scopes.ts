/**
 * `insured` adds names and addresses to lists of quotes; `rules` reads rule sets; `admin` manages the organization of the token; `approve` (with `admin`) approves rules of other persons;
 * `operator` manages the instance.
 */
export const scopes = ['underwrite', 'quote', 'insured', 'distance', 'rules', 'admin', 'approve', 'operator'] as const;
/** Permission of a token. */
export type Scope = (typeof scopes)[number];

/** All but the operator's. */
export const scopesOfOrganizations: readonly Scope[] = scopes.filter((scope) => scope !== 'operator');

/** Defaults for keys of organizations and for tokens of teams. */
export const defaultScopes: { readonly organization: readonly Scope[]; readonly team: readonly Scope[] } = {
  organization: ['underwrite', 'distance'],
  team: ['quote', 'distance'],
};
