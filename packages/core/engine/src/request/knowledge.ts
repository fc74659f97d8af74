import { didYouMean, quoteValue } from '@leeward/terms';
import { type Domain, type Field, inDomain, type ValueForm } from '../vocabulary/field.ts';
import type { DomainLookup } from '../vocabulary/layout.ts';

/** Knowledge of one field: a value, bounds, a list of possible words, or undefined if nothing is known. */
export type Knowledge = number | string | Within | undefined;

/** Bounds (ends included), or one of several words. */
export type Within =
  | { readonly kind: 'between'; readonly min: number; readonly max: number }
  | { readonly kind: 'one of'; readonly words: readonly string[] };

/** Knowledge that a host may give: as on the axis, or in the form of the field. */
export type GivenKnowledge =
  | Knowledge
  | boolean
  | readonly string[]
  | { readonly kind: 'between'; readonly min: string; readonly max: string };

/** Knowledge of a number within bounds, both included. */
export function between(min: number, max: number): number | Within {
  return min === max ? min : { kind: 'between', min, max };
}

/** True for bounds, or one of some words. */
export function isWithin(value: unknown): value is Within {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    (value.kind === 'between' || value.kind === 'one of')
  );
}

/** The axis value, or a sentence that describes the fault. */
export type Fitted =
  | { readonly fits: true; readonly value: Knowledge }
  | { readonly fits: false; readonly message: string };

/**
 * Fits knowledge from a host into a field's domain. Clips measured numbers slightly beyond the domain, infinite bounds, and fractions
 * around whole numbers. Rejects any other value outside the domain.
 */
export function fitKnowledge(field: Field, input: unknown, lookup: DomainLookup): Fitted {
  const { domain, words } = lookup;
  if (input === undefined || input === null) return { fits: true, value: undefined };
  const value = field.form ? readForm(input, field.form) : input;
  if (isWithin(value)) {
    if (value.kind === 'between' && domain.kind === 'numbers') return fitBounds(field, value, domain);
    if (value.kind === 'one of' && words) return fitWords(field, value, lookup);
    return refuse(field, value, domain);
  }
  if (words ? words.has(value) : inDomain(value, domain)) {
    return { fits: true, value: value === 0 ? 0 : (value as Knowledge) };
  }
  return refuse(field, value, domain);
}

function readForm(input: unknown, { read }: ValueForm): unknown {
  if (!isWithin(input)) return read(input) ?? input;
  if (input.kind === 'one of') {
    return Array.isArray(input.words) ? { ...input, words: input.words.map((word) => read(word) ?? word) } : input;
  }
  const [min, max] = [read(input.min), read(input.max)];
  return min === undefined || max === undefined ? input : { ...input, min, max };
}

type Bounds = Extract<Within, { kind: 'between' }>;
type Choice = Extract<Within, { kind: 'one of' }>;
type Numbers = Extract<Domain, { kind: 'numbers' }>;

function fitBounds(field: Field, bounds: Bounds, domain: Numbers): Fitted {
  const { min, max } = bounds;
  const wrong = () => refuse(field, bounds, domain);
  if (typeof min !== 'number' || typeof max !== 'number' || !(min <= max)) return wrong();
  const isOpen = (bound: number) => !Number.isFinite(bound);
  const mayPass = (bound: number) => !domain.integer || isOpen(bound);
  if ((min < domain.min && !mayPass(min)) || (max > domain.max && !mayPass(max))) return wrong();
  const [low, high] = domain.integer ? [Math.ceil(min), Math.floor(max)] : [min, max];
  const lowest = Math.max(low, domain.min);
  const highest = Math.min(high, domain.max);
  if (!(lowest <= highest)) return wrong();
  const fit = lowest === min && highest === max && lowest < highest;
  return { fits: true, value: fit ? bounds : between(lowest, highest) };
}

function fitWords(field: Field, choice: Choice, { domain, words }: DomainLookup): Fitted {
  const candidates: unknown = choice.words;
  if (!Array.isArray(candidates) || candidates.length === 0) return refuse(field, candidates, domain);
  const unknown = candidates.find((word) => !words!.has(word));
  if (unknown !== undefined) return refuse(field, unknown, domain);
  const distinct: string[] = [...new Set(candidates)];
  if (distinct.length === 1) return { fits: true, value: distinct[0] };
  return { fits: true, value: distinct.length === candidates.length ? choice : { kind: 'one of', words: distinct } };
}

function refuse({ name, unit, form }: Field, value: unknown, domain: Domain): Fitted {
  const description = `${name} is ${isBounds(value) ? `between ${value.min} and ${value.max}` : quoteValue(value)}`;
  if (form) {
    const range = domain.kind === 'numbers' ? ` from ${form.write(domain.min)} to ${form.write(domain.max)}` : '';
    return { fits: false, message: `${description}; give ${form.words}${range}.` };
  }
  if (domain.kind === 'words') {
    const hint = typeof value === 'string' ? didYouMean(value, domain.words) : '';
    return { fits: false, message: `${description}; give one of: ${domain.words.join(', ')}.${hint}` };
  }
  const what = `${domain.integer ? 'a whole number' : 'a number'} from ${domain.min} to ${domain.max}`;
  const bounds = isBounds(value) ? ', or bounds within these' : '';
  return { fits: false, message: `${description}; give ${what}${unit === undefined ? '' : ` (${unit})`}${bounds}.` };
}

function isBounds(value: unknown): value is Bounds {
  return isWithin(value) && value.kind === 'between';
}
