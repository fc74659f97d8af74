/**
 * What a token may do. `underwrite`, `quote` and `distance` are the three services; `rules` reads the rule sets that verdicts
 * come from; `admin` manages its own organization, `approve` (beside `admin`) approves rules that another person proposed,
 * `operator` manages the instance.
 */
export const scopes = ['underwrite', 'quote', 'distance', 'rules', 'admin', 'approve', 'operator'] as const;
/** What a token may do. */
export type Scope = (typeof scopes)[number];

/** What a key of an organization gets when its scopes are not named, and what a team's token does. */
export const defaultScopes: { readonly organization: readonly Scope[]; readonly team: readonly Scope[] } = {
  organization: ['underwrite', 'distance'],
  team: ['quote', 'distance'],
};
