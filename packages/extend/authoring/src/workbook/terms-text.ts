import { isObject, quoteValue } from '@leeward/terms';

const numbers = /^(-?\d+(?:\.\d+)?)$/;

/** Writes the terms of an offer as text, one term per line: `wind_hail_deductible_percent >= 2`. Undefined if text cannot hold them. */
export function writeTermsText(terms: unknown): string | undefined {
  if (!isObject(terms)) return undefined;
  const lines = Object.entries(terms).map(([name, value]) => {
    if (value === true) return name;
    if (typeof value === 'string') return `${name}: ${value}`;
    if (Array.isArray(value) && value.length > 1) return `${name}: ${value.join(' | ')}`;
    if (!isObject(value)) return undefined;
    const { min, max, ...others } = value;
    if (Object.keys(others).length > 0) return undefined;
    if (min !== undefined && max !== undefined) return `${name} ${String(min)}..${String(max)}`;
    if (min !== undefined) return `${name} >= ${String(min)}`;
    return max === undefined ? undefined : `${name} <= ${String(max)}`;
  });
  return lines.includes(undefined) ? undefined : lines.join('\n');
}

/**
 * Reads the terms of an offer: one per line, or separated by semicolons, each as `name >= 2`, `name <= 10`, `name 25..75`, `name: word |
 * word`, or only the name of a flag.
 */
export function readTermsText(text: string): { readonly value: Record<string, unknown> } | { readonly fault: string } {
  const terms: Record<string, unknown> = {};
  for (const part of text.split(/[\n;]/)) {
    const line = part.trim();
    if (line === '') continue;
    const [, name, rest = ''] = /^([a-z][a-z0-9_]*)\s*(.*)$/s.exec(line) ?? [];
    const value = name === undefined ? undefined : readValue(rest.trim());
    if (name === undefined || value === undefined || Object.hasOwn(terms, name)) {
      const example = 'wind_hail_deductible_percent >= 2; roof_settlement: actual cash value; wind_excluded';
      return { fault: `${quoteValue(line)} is not a term. Write terms like "${example}", each once.` };
    }
    terms[name] = value;
  }
  return { value: terms };
}

function readValue(text: string): unknown {
  if (text === '') return true;
  if (text.startsWith(':')) {
    const words = text
      .slice(1)
      .split('|')
      .map((word) => word.trim());
    if (words.includes('')) return undefined;
    return words.length === 1 ? words[0] : words;
  }
  const [, sign, limit] = /^(>=|≥|<=|≤)\s*(.+)$/.exec(text) ?? [];
  if (limit !== undefined) {
    const number = readNumber(limit);
    return number === undefined ? undefined : sign === '>=' || sign === '≥' ? { min: number } : { max: number };
  }
  const [, from = '', to = ''] = /^(.+?)\s*\.\.\s*(.+)$/.exec(text) ?? [];
  const [min, max] = [readNumber(from), readNumber(to)];
  return min === undefined || max === undefined ? undefined : { min, max };
}

/** Reads a number, with or without separators, a dollar sign or a percent sign. */
function readNumber(text: string): number | undefined {
  const plain = text
    .replace(/^\$|\s*%$/g, '')
    .replaceAll(/,(?=\d{3})/g, '')
    .trim();
  return numbers.test(plain) ? Number(plain) : undefined;
}
