import { homeVocabulary } from '@leeward/engine';
import { type RequestField, requestFieldsOf } from '@leeward/engine/vocabulary';

/** Form fields of a home, from the engine's vocabulary, so that the form does not load the engine. */
export function homeFields(): readonly RequestField[] {
  const effectiveYear = new Date().getUTCFullYear();
  return requestFieldsOf(homeVocabulary, { effectiveYear }).map(
    ({ description: _, ...field }) => field as RequestField,
  );
}
