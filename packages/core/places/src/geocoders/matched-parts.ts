import type { Address } from '../address/address.ts';
import type { AddressPart } from '../geocoder/geocoder.ts';
import { isAtLeast, type Precision } from '../geocoder/precision.ts';

/** Whether a server's house number is the one asked for, but for case and blanks. */
export function isSameNumber(found: string | undefined, asked: string | undefined): boolean {
  const plain = (text: string) => text.toUpperCase().replace(/\s+/g, '');
  return found !== undefined && asked !== undefined && plain(found) === plain(asked);
}

/** The parts asked for that a place of this precision and ZIP code does not have: the house, where only its street is known. */
export function unmatchedParts(
  address: Address,
  precision: Precision,
  zip: string | undefined,
): readonly AddressPart[] {
  const unmatched: AddressPart[] = [];
  if (address.line1 !== undefined && !isAtLeast(precision, 'interpolated')) unmatched.push('line1');
  if (address.zip !== undefined && zip !== undefined && zip !== address.zip) unmatched.push('zip');
  return unmatched;
}
