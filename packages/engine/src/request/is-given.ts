/** Whether a request says anything of a field, right or wrong: null is nothing. */
export function isGiven(body: Readonly<Record<string, unknown>>, name: string): boolean {
  return Object.hasOwn(body, name) && body[name] !== null && body[name] !== undefined;
}
