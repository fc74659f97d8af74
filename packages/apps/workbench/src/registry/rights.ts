import { ruleSets } from '../evaluate/rule-sets.ts';
import { holders } from '../service/token-holders.ts';
import type { WireVersion } from '../service/wire.ts';

/**
 * Why the session's token cannot propose rules, or those of a carrier; undefined if it can, or before the service has
 * named the token's scopes.
 */
export function proposingNeeds(carrierKey?: string): string | undefined {
  if (holders.value === undefined) return undefined;
  const { organization, scopes } = holders.value.first;
  const needed = organization === null ? 'operator' : 'admin';
  if (!scopes.includes(needed)) return `To propose rules, sign in with a token that has the scope ${needed}.`;
  if (organization === null || ruleSets.value.state !== 'ready') return undefined;
  const carrier = ruleSets.value.rules.carriers.find(({ carrier_key }) => carrier_key === carrierKey);
  if (carrier === undefined || carrier.source === 'organization') return undefined;
  return `${carrier.carrier} is a carrier of the shared catalog. To propose its rules, sign in with an operator’s token (scope operator).`;
}

/** True if the session's token proposed the version. */
export const isOwnProposal = ({ proposed }: WireVersion): boolean =>
  proposed !== null && proposed.by === holders.value?.first.token_id;

/** Why the session's token should not approve a version; undefined if it can. */
export function approvingNeeds(version: WireVersion): string | undefined {
  if (isOwnProposal(version)) return 'You proposed this version. Another person approves it: send them the link.';
  const { organization, scopes } = holders.value?.first ?? {};
  if (organization == null || scopes?.includes('approve')) return undefined;
  return 'To approve rules, sign in with a token that has the scope approve.';
}

/** The signer as people know him. */
export const signer = (by: string): string =>
  by === holders.value?.first.token_id ? `you (token ${by})` : `token ${by}`;
