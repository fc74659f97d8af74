import { homeVocabulary } from '@leeward/engine';
import { type RequestField, requestFieldsOf } from '@leeward/engine/vocabulary';

/**
 * Form fields of every home, from the engine's vocabulary, so that the form does not load the engine. The service adds
 * the fields that its carriers need.
 */
export function homeFields(): readonly RequestField[] {
  const effectiveYear = new Date().getUTCFullYear();
  return requestFieldsOf(homeVocabulary, { effectiveYear }).flatMap(({ description: _, ...field }) =>
    field.on_demand ? [] : [field as RequestField],
  );
}
