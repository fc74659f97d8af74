import { countyByFips } from '@leeward/places/counties';
import type { Facts } from '../condition/facts.ts';
import { isWithin } from '../request/knowledge.ts';
import { factIndex, unitOf } from '../vocabulary/fact-index.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/** Fills the facts in braces; what is not known prints as `not given`. */
export function fillMessage(message: string, facts: Facts, vocabulary: Vocabulary): string {
  return message.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    if (!facts.has(name) && !factIndex(vocabulary).names.includes(name)) return whole;
    return printedOnce(name, facts, vocabulary);
  });
}

const printed = new WeakMap<Facts, Map<string, string>>();

/** Many carriers quote the same facts of one property. */
function printedOnce(name: string, facts: Facts, vocabulary: Vocabulary): string {
  let texts = printed.get(facts);
  if (!texts) {
    texts = new Map();
    printed.set(facts, texts);
  }
  let text = texts.get(name);
  if (text === undefined) {
    text = printFact(name, facts.get(name), vocabulary);
    texts.set(name, text);
  }
  return text;
}

/** A fact as people write it: dollars with separators, distances with two decimals, bounds as a range. */
export function printFact(name: string, value: unknown, vocabulary: Vocabulary): string {
  if (value === undefined || value === null) return 'not given';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  if (isWithin(value)) {
    return value.kind === 'between'
      ? `${printFact(name, value.min, vocabulary)} to ${printFact(name, value.max, vocabulary)}`
      : value.words.join(' or ');
  }
  if (name === 'county' && typeof value === 'string') return countyByFips(value)?.name ?? value;
  if (typeof value !== 'number') return String(value);
  const reference = factIndex(vocabulary).find(name);
  if (reference?.kind === 'field' && reference.field.form) return String(reference.field.form.write(value));
  const unit = reference && unitOf(reference);
  if (unit === 'dollars' || unit === 'feet' || unit === 'meters') {
    return Math.round(value).toLocaleString('en-US');
  }
  return Number.isInteger(value) ? String(value) : String(Math.round(value * 100) / 100);
}
