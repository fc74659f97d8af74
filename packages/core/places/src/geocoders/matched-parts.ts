import type { Address } from '../address/address.ts';
import type { AddressPart } from '../geocoder/geocoder.ts';
import { isAsFineAs, type Precision } from '../geocoder/precision.ts';

export function isSameNumber(actual: string | undefined, requested: string | undefined): boolean {
  const plain = (text: string) => text.toUpperCase().replace(/\s+/g, '');
  return actual !== undefined && requested !== undefined && plain(actual) === plain(requested);
}

/** Parts that this place does not confirm: the house if only its street is known. */
export function unmatchedParts(
  address: Address,
  precision: Precision,
  zip: string | undefined,
): readonly AddressPart[] {
  const unmatched: AddressPart[] = [];
  if (address.line1 !== undefined && !isAsFineAs(precision, 'interpolated')) unmatched.push('line1');
  if (address.zip !== undefined && zip !== undefined && zip !== address.zip) unmatched.push('zip');
  return unmatched;
}
