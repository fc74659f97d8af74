import { didYouMean, quoteValue } from '@leeward/terms';
import type { Domain, Field, ValueForm } from '../vocabulary/field.ts';
import { type DomainLookup, inDomain } from '../vocabulary/layout.ts';

/**
 * What is known of one field: its value, bounds within which it lies, a set of words it is one of, or
 * (undefined) nothing.
 */
export type Knowledge = number | string | Within | undefined;

/** A fact known within bounds (ends included), or one of several words. */
export type Within =
  | { readonly kind: 'between'; readonly min: number; readonly max: number }
  | { readonly kind: 'one of'; readonly words: readonly string[] };

/** What a host may say of a field: knowledge as the axis holds it, or in the field's own form. */
export type GivenKnowledge =
  | Knowledge
  | boolean
  | readonly string[]
  | { readonly kind: 'between'; readonly min: string; readonly max: string };

/** Knowledge of a number within bounds, both included. */
export function between(min: number, max: number): number | Within {
  return min === max ? min : { kind: 'between', min, max };
}

/** True for knowledge that leaves several values possible: bounds, or one of some words. */
export function isWithin(value: unknown): value is Within {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    (value.kind === 'between' || value.kind === 'one of')
  );
}

/** What is said of a field, in the form that is judged, or a sentence that says why it cannot be. */
export type Fitted =
  | { readonly fits: true; readonly value: Knowledge }
  | { readonly fits: false; readonly message: string };

/**
 * Fits what a host says of a field into its domain. Bounds are cut where their meaning is plain: a measured
 * number (not whole) that can lie a little beyond its domain, bounds left open by an infinity, and fractions
 * around whole numbers. Everything else that is no value of the domain is refused.
 */
export function fitKnowledge(field: Field, given: unknown, known: DomainLookup): Fitted {
  const { domain, words } = known;
  if (given === undefined || given === null) return { fits: true, value: undefined };
  const value = field.form ? readForm(given, field.form) : given;
  if (isWithin(value)) {
    if (value.kind === 'between' && domain.kind === 'numbers') return fitBounds(field, value, domain);
    if (value.kind === 'one of' && words) return fitWords(field, value, known);
    return refuse(field, value, domain);
  }
  if (words ? words.has(value) : inDomain(value, domain)) {
    return { fits: true, value: value === 0 ? 0 : (value as Knowledge) };
  }
  return refuse(field, value, domain);
}

/** What is given in the field's form, as its axis has it; all else as it is. */
function readForm(given: unknown, { read }: ValueForm): unknown {
  if (!isWithin(given)) return read(given) ?? given;
  if (given.kind === 'one of') {
    return Array.isArray(given.words) ? { ...given, words: given.words.map((word) => read(word) ?? word) } : given;
  }
  const [min, max] = [read(given.min), read(given.max)];
  return min === undefined || max === undefined ? given : { ...given, min, max };
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
  const given: unknown = choice.words;
  if (!Array.isArray(given) || given.length === 0) return refuse(field, given, domain);
  const unknown = given.find((word) => !words!.has(word));
  if (unknown !== undefined) return refuse(field, unknown, domain);
  const distinct: string[] = [...new Set(given)];
  if (distinct.length === 1) return { fits: true, value: distinct[0] };
  return { fits: true, value: distinct.length === given.length ? choice : { kind: 'one of', words: distinct } };
}

function refuse({ name, unit, form }: Field, value: unknown, domain: Domain): Fitted {
  const given = `${name} is ${isBounds(value) ? `between ${value.min} and ${value.max}` : quoteValue(value)}`;
  if (form) {
    const range = domain.kind === 'numbers' ? ` from ${form.write(domain.min)} to ${form.write(domain.max)}` : '';
    return { fits: false, message: `${given}; give ${form.words}${range}.` };
  }
  if (domain.kind === 'words') {
    const hint = typeof value === 'string' ? didYouMean(value, domain.words) : '';
    return { fits: false, message: `${given}; give one of: ${domain.words.join(', ')}.${hint}` };
  }
  const what = `${domain.integer ? 'a whole number' : 'a number'} from ${domain.min} to ${domain.max}`;
  const bounds = isBounds(value) ? ', or bounds within these' : '';
  return { fits: false, message: `${given}; give ${what}${unit === undefined ? '' : ` (${unit})`}${bounds}.` };
}

function isBounds(value: unknown): value is Bounds {
  return isWithin(value) && value.kind === 'between';
}
