import type { Decider } from '@leeward/engine';
import type { Caller } from '../access/directory.ts';
import { notFound, Problem, unavailable } from '../problem/problem.ts';

/**
 * The carriers of an organization: those appointed to it, its own, and its overrides, ready to judge. `undefined`
 * for an identifier that names none. Rejects only when out of reach, which is answered 503.
 */
export interface OrganizationCatalogs {
  catalogOf(organizationId: string): Promise<Decider | undefined>;
}

const MAX_IDENTIFIER_LENGTH = 128;

/**
 * The catalog of the organization that a path names. Unknown, malformed and another tenant's are one 404, and nothing
 * is looked up for a stranger, so that not even time tells them apart.
 */
export async function locateOrganization(
  organizationId: string,
  caller: Caller,
  organizations: OrganizationCatalogs | undefined,
): Promise<Decider> {
  const mayAsk = caller.organizationId === null || caller.organizationId === organizationId;
  if (!mayAsk || !organizations || organizationId.length > MAX_IDENTIFIER_LENGTH) throw notFound();
  let catalog: Decider | undefined;
  try {
    catalog = await organizations.catalogOf(organizationId);
  } catch (cause) {
    throw cause instanceof Problem ? cause : unavailable('The store of organizations', cause);
  }
  if (catalog === undefined) throw notFound();
  return catalog;
}
