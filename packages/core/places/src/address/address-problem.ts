/** Why a text cannot be located. */
export type AddressProblemCode =
  | 'empty'
  | 'too_long'
  | 'unreadable'
  | 'coordinates'
  | 'foreign'
  | 'military'
  | 'po_box'
  | 'unknown_state'
  | 'malformed_zip'
  | 'incomplete';

/** Why an address cannot be looked up, and the field at fault. */
export interface AddressProblem {
  readonly code: AddressProblemCode;
  /** Names the text and a remedy. */
  readonly message: string;
  /** If the address came in fields. */
  readonly field?: 'line1' | 'city' | 'state' | 'zipcode';
}

/** The chosen reading of an address that has several. */
export interface AddressNote {
  readonly code: 'state_assumed';
  /** Names the other readings and a remedy. */
  readonly message: string;
}

export function quote(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return JSON.stringify(short.toWellFormed());
}
