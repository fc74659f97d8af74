import type { Decider } from '@leeward/engine';
import type { Caller } from '../access/directory.ts';
import { notFound, Problem, unavailable } from '../problem/problem.ts';

/** Catalogs of organizations. */
export interface OrganizationCatalogs {
  /** undefined for an unknown organization. Rejects if unavailable, which is answered 503. */
  catalogOf(organizationId: string): Promise<Decider | undefined>;
}

const MAX_IDENTIFIER_LENGTH = 128;

/**
 * Finds the catalog of an organization. Unknown, malformed and foreign identifiers are the same 404. Foreign ones are not queried, so
 * that time reveals nothing.
 *
 * @throws {Problem} `not_found`, `unavailable`
 *
 * @example
 * locate: ({ params, caller }) => locateOrganization(params['organization_id'] ?? '', caller, organizations),
 */
export async function locateOrganization(
  organizationId: string,
  caller: Caller,
  organizations: OrganizationCatalogs | undefined,
): Promise<Decider> {
  const isAllowed = caller.organizationId === null || caller.organizationId === organizationId;
  if (!isAllowed || !organizations || organizationId.length > MAX_IDENTIFIER_LENGTH) throw notFound();
  let catalog: Decider | undefined;
  try {
    catalog = await organizations.catalogOf(organizationId);
  } catch (cause) {
    throw cause instanceof Problem ? cause : unavailable('The store of organizations', cause);
  }
  if (catalog === undefined) throw notFound();
  return catalog;
}
