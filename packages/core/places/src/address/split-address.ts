import { findState } from '../counties/index.ts';
import type { Address, AddressFields } from './address.ts';
import { type AddressNote, type AddressProblem, quote } from './address-problem.ts';
import type { CityLookup } from './city-lookup.ts';
import { foreignEnding } from './foreign-country.ts';
import { readZip } from './read-zip.ts';
import { hintOfState, stateOfCity } from './state-of-city.ts';
import { takeCity } from './take-city.ts';
import { joinDirections } from './take-direction.ts';
import {
  type Tail,
  takeCountry,
  takeLoneZip,
  takeStateOnce,
  takeUnitBehind,
  takeUnitPart,
  takeZip,
} from './take-end.ts';

/** The parts, or the problem. */
export type SplitAddress =
  | {
      readonly address: Address;
      /** Present if the address lacks a state and several cities have the name: the most populous one is used. */
      readonly note?: AddressNote | undefined;
      readonly problem?: undefined;
    }
  | { readonly address?: undefined; readonly note?: undefined; readonly problem: AddressProblem };

/** How to read an address. */
export interface ReadAddressOptions {
  /** State of an address without a state. Two letters, lower case. @default none */
  readonly state?: string | undefined;
}

/**
 * Splits a line: takes the country off the end, then ZIP code, state and the longest city of that state; the rest is the street line.
 * Without a state, a city of one name, or one that is 20 times as populous as its namesakes together, gives the state.
 * @example
 * splitAddress('1600 Ocean Dr Miami Beach FL 33139', zips).address?.city; // 'Miami Beach'
 */
export function splitAddress(text: string, cities?: CityLookup, options: ReadAddressOptions = {}): SplitAddress {
  const clean = cleanText(text);
  if (clean.problem !== undefined) return clean;
  const obstacle = notAnAddress(clean.text);
  if (obstacle !== undefined) return { problem: obstacle };

  let tail: Tail = clean.text
    .split(',')
    .map((part) =>
      part
        .trim()
        .split(' ')
        .filter((token) => token !== ''),
    )
    .filter((part) => part.length > 0);
  tail = takeCountry(tail);
  const behind = takeUnitBehind(tail);
  tail = behind.tail;
  const zip = takeZip(tail);
  const state = takeStateOnce(zip.tail, zip.zip, cities);
  // A ZIP code can also precede the state, or be a separate part.
  const late = zip.zip === undefined ? takeLoneZip(state.tail) : { tail: state.tail, zip: zip.zip };
  if (state.state === undefined && late.zip === undefined) {
    const ending = endsInPlace(tail, cities) ? undefined : foreignEnding(clean.text);
    if (ending !== undefined) {
      const message = `${quote(ending)} is outside the United States. End the address of a place in the United States with its state or ZIP code.`;
      return { problem: { code: 'foreign', message } };
    }
  }
  const stateCode = state.state ?? (late.zip === undefined ? undefined : cities?.find(late.zip)?.state);
  const within = behind.unit === undefined ? takeUnitPart(late.tail) : { ...behind, tail: late.tail };
  const city = takeCity(within.tail, stateCode ?? options.state, late.zip, cities);
  const street = joinDirections(city.tail).map((tokens) => tokens.join(' '));
  const line1 = [...street, ...(within.unit === undefined ? [] : [within.unit])].join(', ');
  return complete({ line1: line1 || undefined, city: city.city, state: stateCode, zip: late.zip }, cities, options);
}

/**
 * Like `splitAddress`, for fields.
 * @example
 * readAddressFields({ line1: '1600 Ocean Dr', city: 'Miami Beach', state: 'Florida' }).address?.state; // 'fl'
 */
export function readAddressFields(
  fields: AddressFields,
  cities?: CityLookup,
  options: ReadAddressOptions = {},
): SplitAddress {
  const texts: Record<string, string | undefined> = {};
  for (const field of ['line1', 'city', 'state', 'zipcode'] as const) {
    const clean = cleanText(fields[field] ?? '');
    if (clean.problem !== undefined && clean.problem.code !== 'empty') return { problem: { ...clean.problem, field } };
    texts[field] = clean.text;
  }
  const { line1, city, state, zipcode } = texts;
  if (line1 === undefined && city === undefined && state === undefined && zipcode === undefined) {
    return { problem: { code: 'empty', message: 'The address is empty: give line1, city and state, or a zipcode.' } };
  }
  const knownState = state === undefined ? undefined : findState(state);
  if (state !== undefined && knownState === undefined) {
    const message = `${quote(state)} is not a state of the United States: give its name or postal abbreviation.`;
    return { problem: { code: 'unknown_state', message, field: 'state' } };
  }
  const read = zipcode === undefined ? undefined : readZip(zipcode, knownState?.code);
  // Without a state, a missing digit may be a typo: the ZIP code must exist.
  const isWhole = knownState !== undefined || (zipcode !== undefined && read !== undefined && zipcode.startsWith(read));
  const zip = read !== undefined && (isWhole || cities?.find(read) !== undefined) ? read : undefined;
  if (zipcode !== undefined && zip === undefined) {
    const message = `${quote(zipcode)} is not a ZIP code: give five digits, or ZIP+4.`;
    return { problem: { code: 'malformed_zip', message, field: 'zipcode' } };
  }
  const stateCode = knownState?.code ?? (zip === undefined ? undefined : cities?.find(zip)?.state);
  const whole = complete({ line1, city, state: stateCode, zip }, cities, options);
  return whole.problem?.code === 'po_box' ? { problem: { ...whole.problem, field: 'line1' } } : whole;
}

/** South Holland is not in Holland. */
function endsInPlace(tail: Tail, cities: CityLookup | undefined): boolean {
  const last = tail.at(-1) ?? [];
  return [2, 3].some(
    (count) => last.length >= count && (cities?.placesNamed(last.slice(-count).join(' ')).length ?? 0) > 0,
  );
}

function notAnAddress(text: string): AddressProblem | undefined {
  // Its number is not a ZIP code.
  if (/^p(?:ost)?[. ]*o(?:ffice)?[. ]*b(?:o?x)?[. ]*#?\s*\d+$/i.test(text)) return poBox(text);
  if (
    /^[-+]?\d{1,3}(?:\.\d+)?°?\s*[NS]?\s*[, ]\s*[-+]?\d{1,3}(?:\.\d+)?°?\s*[EW]?$/i.test(text) &&
    /\.\d|°|[-+]\d/.test(text)
  ) {
    return { code: 'coordinates', message: `${quote(text)} looks like coordinates: give them as lat and lng.` };
  }
  if (/\b[AFD]PO\b,? *\bA[AEP]\b/i.test(text)) {
    return {
      code: 'military',
      message: `${quote(text)} is a military post office: give the street address of the home.`,
    };
  }
  return undefined;
}

function poBox(text: string): AddressProblem {
  const message = `${quote(text)} is a PO box, not a place: give the street address of the home, or a ZIP code alone.`;
  return { code: 'po_box', message };
}

function complete(address: Address, cities: CityLookup | undefined, options: ReadAddressOptions): SplitAddress {
  const { line1, city, state, zip } = address;
  const street = line1 === undefined ? undefined : withoutPoBox(line1);
  if (line1 !== undefined && street === undefined) {
    return { problem: poBox(line1) };
  }
  if (zip !== undefined || (city !== undefined && state !== undefined)) {
    return { address: { line1: street, city, state, zip } };
  }
  const guess = city === undefined || state !== undefined ? undefined : stateOfCity(city, cities, options.state);
  if (guess === undefined) return { problem: incomplete(address, cities) };
  return { address: { line1: street, city, state: guess.state, zip }, note: guess.note };
}

function incomplete({ line1, city, state }: Address, cities: CityLookup | undefined): AddressProblem {
  const missing = state === undefined ? 'a state, or a ZIP code' : 'a city, or a ZIP code';
  const received = quote([line1, city, state?.toUpperCase()].filter((part) => part !== undefined).join(', '));
  const hint = state === undefined && cities !== undefined ? hintOfState(city ?? line1 ?? '', cities) : '';
  return { code: 'incomplete', message: `${received} lacks ${missing}.${hint}` };
}

const box = /^(?:p(?:ost)?[. ]*o(?:ffice)?[. ]*)?(?:(?:lock ?)?box|drawer)\s*#?\s*[\w-]+$/i;

/** Undefined if nothing else remains. */
function withoutPoBox(line1: string): string | undefined {
  const parts = line1.split(', ').flatMap((part) => {
    const start = /(?<=^|\s)p(?:ost)?[. ]*o(?:ffice)?[. ]*(?:(?:box|drawer)\b|bx?[. ]*#?\s*\d).*$/i.exec(part);
    const rest = start === null ? part : part.slice(0, start.index).trim();
    return rest === '' || box.test(rest) ? [] : [rest];
  });
  return parts.length === 0 ? undefined : parts.join(', ');
}

const MAX_LENGTH = 500;

const pictures = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\ufe0f|\u20e3/gu;
const invisible = /[\p{Cf}\p{Cc}]/gu;

/** NFC, without emoji and control characters; line ends become commas. */
function cleanText(
  text: string,
): { text: string; problem?: undefined } | { text?: undefined; problem: AddressProblem } {
  if (text.length > MAX_LENGTH) {
    const message = `An address has at most ${MAX_LENGTH} characters; received ${text.length}.`;
    return { problem: { code: 'too_long', message } };
  }
  if (!text.isWellFormed()) {
    return { problem: { code: 'unreadable', message: `${quote(text)} contains a lone surrogate.` } };
  }
  const clean = text
    .normalize('NFC')
    .trim()
    .replace(/[\r\n;|]+/g, ', ')
    .replace(/\t/g, ' ')
    .replace(/[\u2010-\u2015]/g, '-')
    .replace(pictures, ' ')
    .replace(invisible, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (clean === '')
    return {
      problem: { code: 'empty', message: 'The address is empty: give a street, city and state, or a ZIP code.' },
    };
  if (!/[\p{L}\p{N}]/u.test(clean)) {
    return { problem: { code: 'unreadable', message: `${quote(text)} contains neither letters nor digits.` } };
  }
  return { text: clean };
}
