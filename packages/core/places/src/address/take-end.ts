import { findState, states } from '../counties/index.ts';
import type { CityLookup } from './city-lookup.ts';
import { readZip } from './read-zip.ts';

/** Parts between commas, as words. */
export type Tail = readonly (readonly string[])[];

const countryNames = new Set(['usa', 'us', 'unitedstates', 'unitedstatesofamerica']);
/** Also words of a street. */
const streetWords = new Set(['al', 'ct', 'de', 'hi', 'in', 'la', 'me', 'oh', 'or', 'pa', 'vi']);

export function dropLast(tail: Tail, count: number): Tail {
  const last = tail.at(-1) ?? [];
  return last.length <= count ? tail.slice(0, -1) : [...tail.slice(0, -1), last.slice(0, -count)];
}

export function takeCountry(tail: Tail): Tail {
  const last = tail.at(-1) ?? [];
  for (let count = Math.min(4, last.length); count > 0; count -= 1) {
    const ending = last
      .slice(-count)
      .join('')
      .toLowerCase()
      // A ZIP code before the country is not part of its name.
      .replace(/[^a-z0-9]/g, '');
    const isAll = tail.length === 1 && last.length === count;
    if (countryNames.has(ending) && !isAll) return dropLast(tail, count);
  }
  return tail;
}

/** Five digits, ZIP+4, or glued to its state (`FL33139`). */
export function takeZip(tail: Tail): { readonly tail: Tail; readonly zip: string | undefined } {
  const last = tail.at(-1) ?? [];
  const word = (last.at(-1) ?? '').replace(/\.$/, '');
  const before = last.at(-2)?.toLowerCase() ?? '';
  const split = /^(\d{5})(?:-?\d{4})?$/.exec(word);
  if (split?.[1] !== undefined) {
    const labelled = /^(?:zip|zipcode)[:.]?$/.test(before);
    const twoWords = /^code[:.]?$/.test(before) && last.at(-3)?.toLowerCase() === 'zip';
    return { tail: dropLast(tail, twoWords ? 3 : labelled ? 2 : 1), zip: split[1] };
  }
  if (/^\d{4}$/.test(word) && /^\d{5}$/.test(before)) return { tail: dropLast(tail, 2), zip: before };
  const glued = /^([A-Za-z]{2})\.?(\d{5})(?:-\d{4})?$/.exec(word);
  if (glued?.[1] !== undefined && findState(glued[1]) !== undefined) {
    return { tail: [...tail.slice(0, -1), [...last.slice(0, -1), glued[1]]], zip: glued[2] };
  }
  // The preceding state restores zeros; it may be before the comma.
  if (/^\d{3,4}(?:-\d{4})?$/.test(word)) {
    const words = [...(tail.at(-2) ?? []), ...last.slice(0, -1)];
    const owner = [1, 2, 3]
      .map((count) => findState(words.slice(-count).join(' ')))
      .find((state) => state !== undefined);
    const zip = owner === undefined || words.length === 0 ? undefined : readZip(word, owner.code);
    if (zip !== undefined) return { tail: dropLast(tail, 1), zip };
  }
  return { tail, zip: undefined };
}

/** Also one that is a separate part. */
export function takeLoneZip(tail: Tail): { readonly tail: Tail; readonly zip: string | undefined } {
  const last = takeZip(tail);
  if (last.zip !== undefined) return last;
  const index = tail.findLastIndex((part) => part.length === 1 && /^\d{5}(?:-?\d{4})?$/.test(part[0]!));
  return index < 0 ? last : { tail: tail.toSpliced(index, 1), zip: tail[index]![0]!.slice(0, 5) };
}

/** Tries `West Virginia` before `Virginia`. */
function takeState(
  tail: Tail,
  zip: string | undefined,
  cities: CityLookup | undefined,
): { readonly tail: Tail; readonly state: string | undefined } {
  const last = tail.at(-1) ?? [];
  const zipState = zip === undefined ? undefined : cities?.find(zip)?.state;
  for (let count = Math.min(5, last.length); count > 0; count -= 1) {
    const ending = last.slice(-count);
    const state = findState(ending.join(' '));
    if (state === undefined) continue;
    // A city and its state.
    if (state.code === 'dc' && count > 1 && /^washington$/i.test(ending[0]!)) continue;
    if (
      zipState !== undefined &&
      zipState !== state.code &&
      !isMeant(dropLast(tail, count), ending, state.code, cities)
    ) {
      continue;
    }
    return { tail: dropLast(tail, count), state: state.code };
  }
  return { tail, state: undefined };
}

/** Takes a state that is written twice once: `Roswell, Georgia, GA`, but not the city of `New York, New York`. */
export function takeStateOnce(
  tail: Tail,
  zip: string | undefined,
  cities: CityLookup | undefined,
): { readonly tail: Tail; readonly state: string | undefined } {
  const first = takeState(tail, zip, cities);
  if (first.state === undefined || !endsInState(first.tail, first.state)) return first;
  const again = takeState(first.tail, zip, cities);
  if (again.state !== first.state) return first;
  const written = first.tail.at(-1)!.slice(again.tail.length < first.tail.length ? 0 : again.tail.at(-1)!.length);
  // "12 Hartford Ct, CT" is on Hartford Court.
  const isStreetWord = written.length === 1 && streetWords.has(written[0]!.toLowerCase());
  const isCity = (cities?.findCity(first.state, written.join(' ')).length ?? 0) > 0;
  return isStreetWord || isCity || !endsCity(again.tail, first.state, cities) ? first : again;
}

/** Quick: by the last word. */
function endsInState(tail: Tail, code: string): boolean {
  const word = tail.at(-1)?.at(-1)?.toLowerCase();
  return (
    word === code ||
    (word !== undefined && states.some((state) => state.code === code && state.name.toLowerCase().endsWith(word)))
  );
}

function endsCity(tail: Tail, state: string, cities: CityLookup | undefined): boolean {
  const last = tail.at(-1) ?? [];
  return last.some((_, index) => (cities?.findCity(state, last.slice(index).join(' ')).length ?? 0) > 0);
}

/** Another state than the ZIP code's, and not a street word (`Maple Ct`) or a city (`Washington`). */
function isMeant(rest: Tail, ending: readonly string[], state: string, cities: CityLookup | undefined): boolean {
  const abbreviated = ending.length === 1 && ending[0]!.replaceAll('.', '').length === 2;
  if (abbreviated && !streetWords.has(state)) return true;
  return endsCity(rest, state, cities);
}

const unit =
  /^(?:(?:apartment|apt|unit|suite|ste|building|bldg|floor|lot|room|rm|space|spc|trailer|trlr)\b\.?[\s#-]*|#\s*)(?:[a-z]?-?\d[\w-]*|[a-z])$/i;
const MAX_UNIT_WORDS = 3;

/** As in `10 Ocean Dr, Miami Beach, Apt 4B` before its state. */
export function takeUnitPart(tail: Tail): { readonly tail: Tail; readonly unit: string | undefined } {
  const last = tail.at(-1)?.join(' ') ?? '';
  return tail.length > 1 && unit.test(last) ? { tail: tail.slice(0, -1), unit: last } : { tail, unit: undefined };
}

/** As in `Miami Beach FL 33139 #12`, `FL 33139, Apt 4B`. */
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
