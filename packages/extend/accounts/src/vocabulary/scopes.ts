/**
 * `underwrite`, `quote` and `distance` are the three services; `rules` reads the rule sets; `admin` manages the
 * organization of the token; `approve` (with `admin`) approves rules that another person proposed; `operator` manages the instance.
 */
export const scopes = ['underwrite', 'quote', 'distance', 'rules', 'admin', 'approve', 'operator'] as const;
/** Permission of a token. */
export type Scope = (typeof scopes)[number];

/** Default scopes of an organization's key and of a team's token. */
export const defaultScopes: { readonly organization: readonly Scope[]; readonly team: readonly Scope[] } = {
  organization: ['underwrite', 'distance'],
  team: ['quote', 'distance'],
};
