/** Code of the reason why a text cannot be located. */
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

/** Reason why an address cannot be looked up, and the field at fault. */
export interface AddressProblem {
  readonly code: AddressProblemCode;
  /** Names the received text and a remedy. */
  readonly message: string;
  /** The field at fault, if the address came in fields. */
  readonly field?: 'line1' | 'city' | 'state' | 'zipcode';
}

/** Quotes received text for a message: a maximum of 60 characters, escaped. */
export function quote(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return JSON.stringify(short.toWellFormed());
}
