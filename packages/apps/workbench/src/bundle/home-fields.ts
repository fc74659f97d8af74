import { homeVocabulary, type RequestField, requestFieldsOf } from '@leeward/engine';

/**
 * What the form asks of a home, from the engine’s own vocabulary, so that the page need not load the engine to ask. Labels and
 * units say it all there.
 */
export function homeFields(): readonly RequestField[] {
  const effectiveYear = new Date().getUTCFullYear();
  return requestFieldsOf(homeVocabulary, { effectiveYear }).map(
    ({ description: _, ...field }) => field as RequestField,
  );
}
