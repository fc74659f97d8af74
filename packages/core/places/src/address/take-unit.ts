import { findState } from '../counties/index.ts';
import { dropLast, type Tail } from './take-end.ts';

const unit =
  /^(?:(?:apartment|apt|unit|suite|ste|building|bldg|floor|lot|room|rm|space|spc|trailer|trlr)\b\.?[\s#-]*|#\s*)(?:[a-z]?-?\d[\w-]*|[a-z])$/i;
const MAX_UNIT_WORDS = 3;

/** A unit between commas of its own at the end, as in `10 Ocean Dr, Miami Beach, Apt 4B` before its state. */
export function takeUnitPart(tail: Tail): { readonly tail: Tail; readonly unit: string | undefined } {
  const last = tail.at(-1)?.join(' ') ?? '';
  return tail.length > 1 && unit.test(last) ? { tail: tail.slice(0, -1), unit: last } : { tail, unit: undefined };
}

/** A unit behind the state or ZIP code, where some forms put it: `Miami Beach FL 33139 #12`, `FL 33139, Apt 4B`. */
export function takeUnitBehind(tail: Tail): { readonly tail: Tail; readonly unit: string | undefined } {
  const part = takeUnitPart(tail);
  if (part.unit !== undefined) return endsPlace(part.tail) ? part : { tail, unit: undefined };
  const last = tail.at(-1) ?? [];
  for (let count = Math.min(MAX_UNIT_WORDS, last.length - 1); count > 0; count -= 1) {
    const words = last.slice(-count).join(' ');
    const rest = dropLast(tail, count);
    if (unit.test(words) && endsPlace(rest)) return { tail: rest, unit: words };
  }
  return { tail, unit: undefined };
}

function endsPlace(tail: Tail): boolean {
  const word = tail.at(-1)?.at(-1) ?? '';
  return /^\d{5}(?:-\d{4})?$/.test(word) || (/^[a-z.]{2,4}$/i.test(word) && findState(word) !== undefined);
}
