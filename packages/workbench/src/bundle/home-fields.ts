import { homeVocabulary } from '@leeward/engine';
import type { HomeField } from '../home/home-field.ts';

/** What the form asks of a home, from the engine’s own vocabulary, so that the page need not load the engine to ask. */
export function homeFields(): readonly HomeField[] {
  const effectiveYear = new Date().getUTCFullYear();
  return homeVocabulary.fields
    .filter((field) => field.schema)
    .map((field) => {
      const { requestName: name, unit } = field;
      const age = homeVocabulary.derivedFacts.find((fact) => fact.name === name);
      const label = age?.label ?? field.label;
      const domain = field.domain({ effectiveYear });
      if (domain.kind === 'words') return { name, label, words: domain.words };
      const { min, max, integer } = age?.range ?? domain;
      return {
        name,
        label,
        ...((age?.unit ?? unit) ? { unit: age?.unit ?? unit } : {}),
        min,
        max,
        integer,
      } as HomeField;
    });
}
