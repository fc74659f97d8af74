import type { Product } from '@leeward/terms';
import { quoteValue } from '@leeward/terms';
import type { RequestBody, StrictRequest } from '../request/request-body.ts';
import type { RuleSetFile } from '../rule-set/rule-set-file.ts';
import { createVocabulary } from '../vocabulary/fact-index.ts';
import type { DerivedFact, Field, Relation } from '../vocabulary/field.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/** A line of business: its words, what is sold in it, and what a quote of it must say. Everything else follows. */
export interface Line<Words extends Vocabulary = Vocabulary> {
  readonly vocabulary: Words;
  /** What people call it: `Renters`. */
  readonly title: string;
  /** What is insured, in sentences: `rented home`. */
  readonly noun: string;
  /** What can be quoted. Every policy type belongs to one of them. */
  readonly products: readonly Product[];
  /** Fields that a quote must give, by request name, beside who the insured is and where the property stands. */
  readonly quoteFields: readonly string[];
}

/** What makes a line. */
export interface LineDefinition {
  /** Its name in paths and rule sets: `renters`. */
  readonly line: string;
  readonly title: string;
  readonly noun: string;
  readonly policyTypes: readonly string[];
  /** Other spellings of policy types, folded (see `fold` of @leeward/terms). */
  readonly policyTypeSpellings?: Readonly<Record<string, string>>;
  readonly fields: readonly Field[];
  readonly derivedFacts?: readonly DerivedFact[];
  readonly relations?: readonly Relation[];
  /** Pairs of fields that a request gives together or not at all, by request name. */
  readonly givenTogether?: readonly (readonly [string, string])[];
  /** Reason codes to be used without `x_`. */
  readonly codes?: readonly string[];
  /** Default: one product of the line's own name with all policy types. */
  readonly products?: readonly Product[];
  /** Default: none. */
  readonly quoteFields?: readonly string[];
}

type WordsOf<Definition extends LineDefinition> = {
  readonly line: Definition['line'];
  readonly policyTypes: Definition['policyTypes'];
  readonly policyTypeSpellings: Readonly<Record<string, string>>;
  readonly fields: Definition['fields'];
  readonly derivedFacts: Definition['derivedFacts'] extends readonly DerivedFact[] ? Definition['derivedFacts'] : [];
  readonly relations: readonly Relation[];
  readonly givenTogether: readonly (readonly [string, string])[];
  readonly codes: Definition['codes'] extends readonly string[] ? Definition['codes'] : [];
};

/** The underwriting request of a line, in its own words and no other spelling: `{ … } satisfies RequestOf<typeof renters>`. */
export type RequestOf<Any extends Line> = StrictRequest<Any['vocabulary']>;

/** The same in any usual spelling. */
export type SpelledRequestOf<Any extends Line> = RequestBody<Any['vocabulary']>;

/** A rule set of a line, written in TypeScript: `{ … } satisfies RuleSetOf<typeof renters>`. */
export type RuleSetOf<Any extends Line> = RuleSetFile<Any['vocabulary']> & { readonly line: Any['vocabulary']['line'] };

/** Names that are more than a line in paths, rule sets and settings. */
const LINE_NAME = /^[a-z][a-z0-9_]{0,31}$/;

/**
 * Makes a line of business, its types inferred from what is written here. Throws a `RangeError` with everything that does
 * not fit: names taken already (`state` is every line's own), names of nothing, empty domains, policy types in no product.
 */
export function defineLine<const Definition extends LineDefinition>(definition: Definition): Line<WordsOf<Definition>> {
  const { line, title, noun, policyTypes, quoteFields = [] } = definition;
  const products = definition.products ?? [{ code: line, name: title, formTypes: policyTypes }];
  const vocabulary = createVocabulary({
    line,
    policyTypes,
    policyTypeSpellings: definition.policyTypeSpellings ?? {},
    fields: definition.fields,
    derivedFacts: definition.derivedFacts ?? [],
    relations: definition.relations ?? [],
    givenTogether: definition.givenTogether ?? [],
    codes: definition.codes ?? [],
  });
  const faults = [
    ...nameFaults(line),
    ...productFaults(policyTypes, products),
    ...quoteFaults(vocabulary, quoteFields),
  ];
  if (faults.length > 0) throw new RangeError(`The line ${quoteValue(line)}: ${faults.join(' ')}`);
  return { vocabulary: vocabulary as unknown as WordsOf<Definition>, title, noun, products, quoteFields };
}

function nameFaults(line: string): string[] {
  if (LINE_NAME.test(line)) return [];
  return [`${quoteValue(line)} is no name of a line; use up to 32 lower-case letters, digits and underscores.`];
}

function productFaults(policyTypes: readonly string[], products: readonly Product[]): string[] {
  const faults: string[] = [];
  const codes = new Set<string>();
  const sold = new Map<string, string>();
  for (const { code, formTypes } of products) {
    if (!LINE_NAME.test(code))
      faults.push(
        `${quoteValue(code)} is no code of a product; use up to 32 lower-case letters, digits and underscores.`,
      );
    if (codes.has(code)) faults.push(`There are two products ${quoteValue(code)}.`);
    codes.add(code);
    for (const type of formTypes) {
      if (!policyTypes.includes(type)) {
        faults.push(`The product ${quoteValue(code)} names ${quoteValue(type)}, which is no policy type of the line.`);
      }
      const other = sold.get(type);
      if (other !== undefined)
        faults.push(`${quoteValue(type)} is in two products, ${quoteValue(other)} and ${quoteValue(code)}.`);
      sold.set(type, code);
    }
  }
  const unsold = policyTypes.filter((type) => !sold.has(type));
  if (unsold.length > 0) faults.push(`No product has ${unsold.map(quoteValue).join(', ')}.`);
  return faults;
}

function quoteFaults({ fields }: Vocabulary, quoteFields: readonly string[]): string[] {
  return quoteFields
    .filter((name) => !fields.some(({ requestName, schema }) => requestName === name && schema))
    .map((name) => `A quote is to give ${quoteValue(name)}, which no request has.`);
}
