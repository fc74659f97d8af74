import { ReplayError, requestOfRecord } from '@leeward/authoring/replay';
import { homeVocabulary, type Vocabulary } from '@leeward/engine';
import { invalidRequest, type ReadSavedHome } from '@leeward/http';
import type { SavedDecisions } from '@leeward/registry';

/** The store of saved decisions, and the line of watched homes. */
export interface SavedHomeOptions {
  /** `registry.savedDecisions`. */
  readonly savedDecisions: Pick<SavedDecisions, 'read'>;
  /** If omitted, homes. */
  readonly vocabulary?: Vocabulary | undefined;
}

/**
 * Lets homes be watched by the id of a saved decision: `savedHome` of `quoting`. A team can read the decisions of its organization.
 *
 * @example
 * createLeeward({ directory, quoting: { quotes, savedHome: createSavedHomes(registry) } });
 */
export function createSavedHomes(options: SavedHomeOptions): ReadSavedHome {
  const { savedDecisions, vocabulary = homeVocabulary } = options;
  return async ({ organizationId }, decisionId) => {
    // Decisions without an organization belong to the operator.
    if (organizationId === null) return undefined;
    const record = await savedDecisions.read(organizationId, decisionId);
    if (record === undefined) return undefined;
    try {
      return requestOfRecord(record, vocabulary);
    } catch (error) {
      if (!(error instanceof ReplayError)) throw error;
      const message = `The home of this decision cannot be watched: ${error.message} Give home instead.`;
      throw invalidRequest([{ path: '/decision_id', code: error.code, message }]);
    }
  };
}
