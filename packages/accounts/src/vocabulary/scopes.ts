/**
 * What a token may do. `underwrite`, `quote` and `distance` are the three services; `rules` reads the rule sets that verdicts
 * come from; `admin` manages its own organization, `operator` the instance.
 */
export const scopes = ['underwrite', 'quote', 'distance', 'rules', 'admin', 'operator'] as const;
/** What a token may do. */
export type Scope = (typeof scopes)[number];

/** What a key of an organization gets when its scopes are not named, and what a team's token does. */
export const defaultScopes: { readonly organization: readonly Scope[]; readonly team: readonly Scope[] } = {
  organization: ['underwrite', 'distance'],
  team: ['quote', 'distance'],
};
