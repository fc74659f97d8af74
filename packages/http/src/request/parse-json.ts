import { Problem } from '../problem/problem.ts';

/** Deeper than anything that an operation asks for, shallow enough for whatever walks the value. */
export const maxNesting = 64;

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * JSON from the bytes of a body. Throws 400 for what is not JSON, not UTF-8, or nests too deep. Of a key given
 * twice the last counts; `__proto__` and its like are keys as any other.
 */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0) throw malformed('The body is empty; send a JSON object.');
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch (error) {
    throw malformed(error instanceof SyntaxError ? `${error.message}.` : 'The body is not well-formed UTF-8.');
  }
  if (nestsDeeper(value, maxNesting)) throw malformed(`The body nests deeper than ${maxNesting} levels.`);
  return value;
}

function malformed(detail: string): Problem {
  return new Problem('malformed_json', detail);
}

/** Recursion ends at the limit, so no input can exhaust the stack. */
function nestsDeeper(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (limit === 0) return true;
  for (const child of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof child === 'object' && nestsDeeper(child, limit - 1)) return true;
  }
  return false;
}
