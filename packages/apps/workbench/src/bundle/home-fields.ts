import { homeVocabulary } from '@leeward/engine';
import { type RequestField, requestFieldsOf } from '@leeward/engine/vocabulary';

/**
 * Form fields of a home, from the vocabulary of the engine, so that the page need not load the engine to show the form.
 * Their labels and units need no description.
 */
export function homeFields(): readonly RequestField[] {
  const effectiveYear = new Date().getUTCFullYear();
  return requestFieldsOf(homeVocabulary, { effectiveYear }).map(
    ({ description: _, ...field }) => field as RequestField,
  );
}
