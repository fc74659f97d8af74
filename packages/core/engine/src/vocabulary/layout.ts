import { createVocabulary } from './fact-index.ts';
import type { Domain } from './field.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A domain, ready to be asked often. */
export interface KnownDomain {
  readonly domain: Domain;
  /** The words of a domain of words. */
  readonly words: ReadonlySet<unknown> | undefined;
}

/** Where the fields of a vocabulary stand, worked out once. */
export interface VocabularyLayout {
  /** Place of each field in the vocabulary, by name. */
  readonly places: ReadonlyMap<string, number>;
  /** The places of the fields of each relation. */
  readonly relations: readonly { readonly lower: number; readonly higher: number }[];
  /** By place of the field. */
  domainsOf(effectiveYear: number): readonly KnownDomain[];
}

/** Years whose domains are kept at a time. */
const MAX_YEARS_KEPT = 16;

const layouts = new WeakMap<Vocabulary, VocabularyLayout>();

export function layoutOf(vocabulary: Vocabulary): VocabularyLayout {
  let layout = layouts.get(vocabulary);
  if (!layout) {
    layout = layOut(createVocabulary(vocabulary));
    layouts.set(vocabulary, layout);
  }
  return layout;
}

function layOut({ fields, relations }: Vocabulary): VocabularyLayout {
  const places = new Map(fields.map(({ name }, place) => [name, place]));
  const byYear = new Map<number, readonly KnownDomain[]>();
  return {
    places,
    relations: relations.map(({ lower, higher }) => ({ lower: places.get(lower)!, higher: places.get(higher)! })),
    domainsOf(effectiveYear) {
      let domains = byYear.get(effectiveYear);
      if (!domains) {
        domains = fields.map((field): KnownDomain => {
          const domain = field.domain({ effectiveYear });
          return { domain, words: domain.kind === 'words' ? new Set(domain.words) : undefined };
        });
        if (byYear.size >= MAX_YEARS_KEPT) byYear.delete(byYear.keys().next().value!);
        byYear.set(effectiveYear, domains);
      }
      return domains;
    },
  };
}

/** Whether a relation binds two of these fields (places in the vocabulary) to one another. */
export function areRelated(fields: readonly number[], vocabulary: Vocabulary): boolean {
  if (fields.length < 2) return false;
  return layoutOf(vocabulary).relations.some(({ lower, higher }) => fields.includes(lower) && fields.includes(higher));
}

export function inDomain(value: unknown, domain: Domain): boolean {
  if (domain.kind === 'words') return typeof value === 'string' && domain.words.includes(value);
  return (
    typeof value === 'number' &&
    value >= domain.min &&
    value <= domain.max &&
    (!domain.integer || Number.isInteger(value))
  );
}
