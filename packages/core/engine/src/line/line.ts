import type { Product } from '@leeward/terms';
import { quoteValue } from '@leeward/terms';
import type { RequestBody, StrictRequest } from '../request/request-body.ts';
import type { RuleSetFile } from '../rule-set/rule-set-file.ts';
import { createVocabulary } from '../vocabulary/fact-index.ts';
import type { DerivedFact, Field, Relation } from '../vocabulary/field.ts';
import type { ListField } from '../vocabulary/list-field.ts';
import type { OfferTerm } from '../vocabulary/offer-term.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/** A line of business: its vocabulary, its products, and the fields that a quote requires. */
export interface Line<Words extends Vocabulary = Vocabulary> {
  readonly vocabulary: Words;
  /** Name shown to people: `Renters`. */
  readonly title: string;
  /** The insured thing, as sentences name it: `rented home`. */
  readonly noun: string;
  /** Every policy type belongs to exactly one product. */
  readonly products: readonly Product[];
  /** Request names of fields that a quote requires, in addition to the insured and the location. */
  readonly quoteFields: readonly string[];
}

/** Input of {@link defineLine}. */
export interface LineDefinition {
  /** Name in paths and rule sets: `renters`. */
  readonly line: string;
  readonly title: string;
  readonly noun: string;
  readonly policyTypes: readonly string[];
  /** Other spellings of policy types, folded (see `fold` of @leeward/terms). */
  readonly policyTypeSpellings?: Readonly<Record<string, string>>;
  readonly fields: readonly Field[];
  readonly derivedFacts?: readonly DerivedFact[];
  readonly relations?: readonly Relation[];
  /** Lists of items with fields, such as losses. @default [] */
  readonly lists?: readonly ListField[];
  /** Pairs of request names: a request gives both fields or neither. */
  readonly givenTogether?: readonly (readonly [string, string])[];
  /** Reason codes that need no `x_`. */
  readonly codes?: readonly string[];
  /** Terms of offers that need no `x_`. @default [] */
  readonly terms?: readonly OfferTerm[];
  /** @default one product, named like the line, with all policy types */
  readonly products?: readonly Product[];
  /** @default [] */
  readonly quoteFields?: readonly string[];
}

type WordsOf<Definition extends LineDefinition> = {
  readonly line: Definition['line'];
  readonly policyTypes: Definition['policyTypes'];
  readonly policyTypeSpellings: Readonly<Record<string, string>>;
  readonly fields: Definition['fields'];
  readonly derivedFacts: Definition['derivedFacts'] extends readonly DerivedFact[] ? Definition['derivedFacts'] : [];
  readonly relations: readonly Relation[];
  readonly lists: Definition['lists'] extends readonly ListField[] ? Definition['lists'] : [];
  readonly givenTogether: readonly (readonly [string, string])[];
  readonly codes: Definition['codes'] extends readonly string[] ? Definition['codes'] : [];
  readonly terms: Definition['terms'] extends readonly OfferTerm[] ? Definition['terms'] : [];
};

/** An underwriting request of a line in exact spelling: `{ … } satisfies RequestOf<typeof renters>`. */
export type RequestOf<Any extends Line> = StrictRequest<Any['vocabulary']>;

/** An underwriting request of a line in any accepted spelling. */
export type SpelledRequestOf<Any extends Line> = RequestBody<Any['vocabulary']>;

/** A rule set of a line, written in TypeScript: `{ … } satisfies RuleSetOf<typeof renters>`. */
export type RuleSetOf<Any extends Line> = RuleSetFile<Any['vocabulary']> & { readonly line: Any['vocabulary']['line'] };

const LINE_NAME = /^[a-z][a-z0-9_]{0,31}$/;

/**
 * Defines a line of business. The types of its requests and rule sets are inferred from the definition.
 *
 * @throws RangeError listing every fault: duplicate or malformed names, references to missing fields, empty domains, policy types
 * without a product.
 * @example
 *  const renters = defineLine({
 *    line: 'renters',
 *    title: 'Renters',
 *    noun: 'rented home',
 *    policyTypes: ['ho4'],
 *    fields: [integerField('contents', { label: 'contents', min: 0, max: 500_000, change: { kind: 'any' }, description: 'Contents in dollars.' })],
 *  });
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
    lists: definition.lists ?? [],
    givenTogether: definition.givenTogether ?? [],
    codes: definition.codes ?? [],
    terms: definition.terms ?? [],
  });
  const faults = [
    ...findNameFaults(line),
    ...findProductFaults(policyTypes, products),
    ...findQuoteFaults(vocabulary, quoteFields),
  ];
  if (faults.length > 0) throw new RangeError(`The line ${quoteValue(line)}: ${faults.join(' ')}`);
  return { vocabulary: vocabulary as unknown as WordsOf<Definition>, title, noun, products, quoteFields };
}

function findNameFaults(line: string): string[] {
  if (LINE_NAME.test(line)) return [];
  return [
    `${quoteValue(line)} is not a valid name of a line; use up to 32 lower-case letters, digits and underscores.`,
  ];
}

function findProductFaults(policyTypes: readonly string[], products: readonly Product[]): string[] {
  const faults: string[] = [];
  const codes = new Set<string>();
  const productOfType = new Map<string, string>();
  for (const { code, formTypes } of products) {
    if (!LINE_NAME.test(code))
      faults.push(
        `${quoteValue(code)} is not a valid product code; use up to 32 lower-case letters, digits and underscores.`,
      );
    if (codes.has(code)) faults.push(`There are two products ${quoteValue(code)}.`);
    codes.add(code);
    for (const type of formTypes) {
      if (!policyTypes.includes(type)) {
        faults.push(
          `The product ${quoteValue(code)} names ${quoteValue(type)}, which is not a policy type of the line.`,
        );
      }
      const other = productOfType.get(type);
      if (other !== undefined)
        faults.push(`${quoteValue(type)} belongs to two products, ${quoteValue(other)} and ${quoteValue(code)}.`);
      productOfType.set(type, code);
    }
  }
  const typesWithoutProduct = policyTypes.filter((type) => !productOfType.has(type));
  if (typesWithoutProduct.length > 0)
    faults.push(`These policy types belong to no product: ${typesWithoutProduct.map(quoteValue).join(', ')}.`);
  return faults;
}

function findQuoteFaults({ fields }: Vocabulary, quoteFields: readonly string[]): string[] {
  return quoteFields
    .filter((name) => !fields.some(({ requestName, schema }) => requestName === name && schema))
    .map((name) => `A quote requires ${quoteValue(name)}, which is not a request field.`);
}
