import { createVocabulary } from './fact-index.ts';
import type { Domain } from './field.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface DomainLookup {
  readonly domain: Domain;
  readonly words: ReadonlySet<unknown> | undefined;
}

/** Positions of the fields of a vocabulary. */
export interface VocabularyLayout {
  /** Position of each field, by name. */
  readonly positions: ReadonlyMap<string, number>;
  /** Knowledge of an unknown property: undefined for each field. */
  readonly unknown: readonly undefined[];
  /** Values of fields that a property does not give. Those with a condition come last. */
  readonly fallbacks: readonly {
    readonly position: number;
    readonly value: number | string;
    readonly when?: { readonly position: number; readonly value: number | string };
  }[];
  /** Positions of both fields of each relation. */
  readonly relations: readonly { readonly lower: number; readonly higher: number }[];
  /** By position of the field. */
  domainsOf(effectiveYear: number): readonly DomainLookup[];
}

const MAX_CACHED_YEARS = 16;

const layouts = new WeakMap<Vocabulary, VocabularyLayout>();

/** The layout of the fields of a vocabulary; computed once. */
export function layoutOf(vocabulary: Vocabulary): VocabularyLayout {
  let layout = layouts.get(vocabulary);
  if (!layout) {
    layout = layOut(createVocabulary(vocabulary));
    layouts.set(vocabulary, layout);
  }
  return layout;
}

function layOut({ fields, relations }: Vocabulary): VocabularyLayout {
  const positions = new Map(fields.map(({ name }, place) => [name, place]));
  const byYear = new Map<number, readonly DomainLookup[]>();
  const fallbacks = fields.flatMap(({ fallback }, position) => {
    if (!fallback) return [];
    const { value, when } = fallback;
    return [
      { position, value, ...(when ? { when: { position: positions.get(when.field)!, value: when.value } } : {}) },
    ];
  });
  return {
    positions,
    unknown: fields.map(() => undefined),
    fallbacks: [...fallbacks.filter(({ when }) => !when), ...fallbacks.filter(({ when }) => when)],
    relations: relations.map(({ lower, higher }) => ({ lower: positions.get(lower)!, higher: positions.get(higher)! })),
    domainsOf(effectiveYear) {
      let domains = byYear.get(effectiveYear);
      if (!domains) {
        domains = fields.map((field): DomainLookup => {
          const domain = field.domain({ effectiveYear });
          return { domain, words: domain.kind === 'words' ? new Set(domain.words) : undefined };
        });
        if (byYear.size >= MAX_CACHED_YEARS) byYear.delete(byYear.keys().next().value!);
        byYear.set(effectiveYear, domains);
      }
      return domains;
    },
  };
}

export function areRelated(fields: readonly number[], vocabulary: Vocabulary): boolean {
  if (fields.length < 2) return false;
  return layoutOf(vocabulary).relations.some(({ lower, higher }) => fields.includes(lower) && fields.includes(higher));
}
