import { countiesOf } from '@leeward/places/counties';
import { type Facts, factsOfProperty } from '../condition/facts.ts';
import type { Knowledge } from '../request/knowledge.ts';
import type { Property } from '../request/property.ts';

/** The facts of a property as an explanation needs them. */
export interface FactsToTell {
  /** What tests are judged by. */
  readonly judged: Facts;
  /** What is known, bounds that follow from related fields included. */
  readonly known: Facts;
  /** What was given. */
  readonly given: Facts;
}

/**
 * Works out the facts. `withDomains`: what nobody said is judged as anything of its domain, so that a test
 * that every value meets holds; else it is unknown, as the reference has it.
 */
export function factsToTell(property: Property, policyType: string, withDomains: boolean): FactsToTell {
  const factsOf = (values: readonly Knowledge[], county: unknown): Map<string, unknown> => {
    const facts = factsOfProperty({ ...property, values }, policyType, undefined);
    facts.set('county', county);
    return facts;
  };
  const { counties, state, values, given = values, vocabulary, effectiveYear } = property;
  const county = counties && oneOf(counties);
  const known = factsOf(values, county);
  if (!withDomains) return { judged: known, known, given: factsOf(given, county) };
  const domains = vocabulary.fields.map((field, index): Knowledge => {
    const value = values[index];
    if (value !== undefined) return value;
    const domain = field.domain({ effectiveYear });
    return domain.kind === 'words' ? oneOf(domain.words) : { kind: 'between', min: domain.min, max: domain.max };
  });
  return {
    judged: factsOf(domains, county ?? oneOf(countiesOf(state).map((each) => each.fips))),
    known,
    given: factsOf(given, county),
  };
}

function oneOf(words: readonly string[]): Knowledge {
  return words.length <= 1 ? words[0] : { kind: 'one of', words };
}
