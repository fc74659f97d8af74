import type { Decider } from '@leeward/engine';
import type { Caller } from '../access/directory.ts';
import { notFound, Problem, unavailable } from '../problem/problem.ts';

/** Catalogs of organizations: appointed carriers, their overrides, and the organization's own carriers. */
export interface OrganizationCatalogs {
  /** Resolves to undefined for an unknown organization. Rejects only if the store is unavailable, which is answered 503. */
  catalogOf(organizationId: string): Promise<Decider | undefined>;
}

const MAX_IDENTIFIER_LENGTH = 128;

/**
 * The catalog of the organization in a path. An unknown, malformed or foreign identifier is the same 404. For a foreign one there is no
 * query, so that its time reveals nothing.
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
