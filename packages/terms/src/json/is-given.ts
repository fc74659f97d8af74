/** Whether a value says anything, right or wrong: null is nothing, and so is text that a form left empty. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && !isBlank(value);
}

/** Text without a character that anybody would see. */
export function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}
