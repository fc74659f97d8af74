import { countiesOf } from '@leeward/places/counties';
import type { Facts } from '../condition/fact-map.ts';
import { factsOfProperty } from '../condition/facts.ts';
import type { Knowledge } from '../request/knowledge.ts';
import type { Property } from '../request/property.ts';

export interface ExplainedFacts {
  readonly testFacts: Facts;
  /** Known facts, including bounds inferred from related fields. */
  readonly knownFacts: Facts;
  readonly givenFacts: Facts;
}

/**
 * @param withDomains true to evaluate unknown fields as any value of their domain, as compiled rules do, so that a test that every value
 * meets holds; false to leave them unknown, as json-rules-engine does
 */
export function explainedFacts(property: Property, policyType: string, withDomains: boolean): ExplainedFacts {
  const factsOf = (values: readonly Knowledge[], county: unknown): Map<string, unknown> => {
    const facts = factsOfProperty({ ...property, values }, policyType, undefined);
    facts.set('county', county);
    return facts;
  };
  const { counties, state, values, givenValues = values, vocabulary, effectiveYear } = property;
  const county = counties && oneOf(counties);
  const knownFacts = factsOf(values, county);
  if (!withDomains) return { testFacts: knownFacts, knownFacts, givenFacts: factsOf(givenValues, county) };
  const domains = vocabulary.fields.map((field, index): Knowledge => {
    const value = values[index];
    if (value !== undefined) return value;
    const domain = field.domain({ effectiveYear });
    return domain.kind === 'words' ? oneOf(domain.words) : { kind: 'between', min: domain.min, max: domain.max };
  });
  return {
    testFacts: factsOf(domains, county ?? oneOf(countiesOf(state).map((each) => each.fips))),
    knownFacts,
    givenFacts: factsOf(givenValues, county),
  };
}

function oneOf(words: readonly string[]): Knowledge {
  return words.length <= 1 ? words[0] : { kind: 'one of', words };
}
