import { quoteValue } from '@leeward/terms';
import { inDomain } from '../vocabulary/domain.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { between, type Knowledge } from './knowledge.ts';

/**
 * A property checked and normalized: what is judged. Every object of one vocabulary has the same shape,
 * which keeps the hot path hot.
 */
export interface Property {
  readonly vocabulary: Vocabulary;
  /** Undefined: all types are asked for. */
  readonly policyType: string | undefined;
  /** Lower-case abbreviation. */
  readonly state: string;
  /** FIPS codes of the counties it can be: undefined for any of the state, empty for none. */
  readonly counties: readonly string[] | undefined;
  /** By place in `vocabulary.fields`. */
  readonly values: readonly Knowledge[];
  /** The same before relations bounded what nobody gave: what messages quote. Absent: `values`. */
  readonly given?: readonly Knowledge[];
  /** Instant of asking, epoch milliseconds: governs moratoria. */
  readonly asOfMs: number;
  /** `YYYY-MM-DD`: governs ages and versions. */
  readonly effectiveDate: string;
  readonly effectiveYear: number;
}

/**
 * What `createProperty` takes. `asOfMs` is in epoch milliseconds, `effectiveDate` is `YYYY-MM-DD`, `state` a
 * lower-case abbreviation, `counties` are FIPS codes (left out: any of the state; empty: none).
 */
export interface PropertyInput {
  readonly vocabulary: Vocabulary;
  readonly policyType?: string | undefined;
  readonly state: string;
  readonly counties?: readonly string[] | undefined;
  /** By field name, on the field's own axis (`roof_year`, not an age). */
  readonly values: Readonly<Record<string, Knowledge>>;
  readonly asOfMs: number;
  readonly effectiveDate: string;
}

/**
 * Builds a property from checked values; relations bound what is unknown. Throws a `RangeError` that
 * names the field for a value outside its domain: the engine's answers hold within the domains only.
 */
export function createProperty(input: PropertyInput): Property {
  const { vocabulary } = input;
  const given: readonly Knowledge[] = vocabulary.fields.map((field) =>
    Object.hasOwn(input.values, field.name) ? input.values[field.name] : undefined,
  );
  const values = [...given];
  const effectiveYear = Number(input.effectiveDate.slice(0, 4));
  vocabulary.fields.forEach((field, index) => {
    const value = values[index];
    if (value === undefined || typeof value === 'object' || inDomain(value, field.domain({ effectiveYear }))) return;
    throw new RangeError(`${field.name} is ${quoteValue(value)}, which is outside its domain.`);
  });
  boundByRelations(values, vocabulary, effectiveYear);
  return {
    vocabulary,
    policyType: input.policyType,
    state: input.state,
    counties: input.counties,
    values,
    given,
    asOfMs: input.asOfMs,
    effectiveDate: input.effectiveDate,
    effectiveYear,
  };
}

/** A roof is no older than its house: where one of the two is known, the other is known within bounds. */
function boundByRelations(values: Knowledge[], vocabulary: Vocabulary, effectiveYear: number): void {
  for (const { lower, higher } of vocabulary.relations) {
    const low = vocabulary.fields.findIndex((field) => field.name === lower);
    const high = vocabulary.fields.findIndex((field) => field.name === higher);
    const lowest = leastOf(values[low]);
    const highest = greatestOf(values[high]);
    if (lowest !== undefined && values[high] === undefined) {
      const domain = vocabulary.fields[high]!.domain({ effectiveYear });
      if (domain.kind === 'numbers' && lowest > domain.min && lowest <= domain.max)
        values[high] = between(lowest, domain.max);
    } else if (highest !== undefined && values[low] === undefined) {
      const domain = vocabulary.fields[low]!.domain({ effectiveYear });
      if (domain.kind === 'numbers' && highest < domain.max && highest >= domain.min)
        values[low] = between(domain.min, highest);
    }
  }
}

function leastOf(value: Knowledge): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'object' && value.kind === 'between' ? value.min : undefined;
}

function greatestOf(value: Knowledge): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'object' && value.kind === 'between' ? value.max : undefined;
}
