/** A postal address in the United States. */
export interface Address {
  /** Number, street and unit, unparsed. */
  readonly line1: string | undefined;
  readonly city: string | undefined;
  /** Lower case. */
  readonly state: string | undefined;
  /** Five digits. */
  readonly zip: string | undefined;
}

/** An address in fields. */
export interface AddressFields {
  readonly line1?: string | null | undefined;
  readonly city?: string | null | undefined;
  readonly state?: string | null | undefined;
  /** Five digits, or ZIP+4. */
  readonly zipcode?: string | null | undefined;
}

/**
 * Formats an address on one line.
 * @example
 * formatAddress({ line1: '1600 Ocean Dr', city: 'Miami Beach', state: 'fl', zip: '33139' }); // 1600 Ocean Dr, Miami Beach, FL 33139
 */
export function formatAddress({ line1, city, state, zip }: Address): string {
  const end = [state?.toUpperCase(), zip].filter((part) => part !== undefined).join(' ');
  return [line1, city, end].filter((part) => part !== undefined && part !== '').join(', ');
}
