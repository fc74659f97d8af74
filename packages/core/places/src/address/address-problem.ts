/** Why a text is no address that a place could be found for. */
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

/** Why an address cannot be looked up, and at which of its lines. */
export interface AddressProblem {
  readonly code: AddressProblemCode;
  /** Names what was received and the way out. */
  readonly message: string;
  /** The field at fault, where the address came in fields. */
  readonly field?: 'line1' | 'city' | 'state' | 'zipcode';
}

/** At most 60 characters of what was received, in quotation marks, safe to print. */
export function quote(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return JSON.stringify(short.toWellFormed());
}
