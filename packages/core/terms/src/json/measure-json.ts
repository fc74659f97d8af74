import type { Fault } from '../fault/fault.ts';

/** The largest body of a request, and the largest file that one may hold. */
export const MAX_JSON_BYTES = 256 * 1024;

/** Levels of objects and lists: deeper than anything that is asked for, shallow enough for whatever walks the value. */
export const MAX_JSON_DEPTH = 64;

const encoder = new TextEncoder();

/** Objects and arrays, at most: more do not fit into the bytes allowed. */
const MAX_CONTAINERS = MAX_JSON_BYTES / 2;

/** What is said of JSON too large or too deep to be looked into, or of what is no JSON; no faults: its text. */
export function measureJson(value: unknown, path: string): { text: string; faults: [] } | { faults: Fault[] } {
  const fault = (code: string, message: string) => ({ faults: [{ path, code, message }] });
  const tooLarge = (bytes: string) => fault('too_large', `has ${bytes} bytes; at most ${MAX_JSON_BYTES} are accepted.`);
  // Looked into before it is written out: what is shared inside may be small here and endless as text.
  const extent = extentOf(value);
  if (extent === 'deep') return fault('too_deep', `nests deeper than ${MAX_JSON_DEPTH} levels.`);
  if (extent === 'large') return tooLarge(`more than ${MAX_JSON_BYTES}`);
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    text = undefined;
  }
  if (text === undefined) return fault('not_json', 'holds what JSON cannot carry.');
  const bytes = encoder.encode(text).byteLength;
  return bytes > MAX_JSON_BYTES ? tooLarge(`${bytes}`) : { text, faults: [] };
}

/** Level by level and without recursion, so that no depth overflows; a cycle is deeper than anything. */
function extentOf(value: unknown): 'deep' | 'large' | 'fits' {
  let level = [value].filter(isContainer);
  let count = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= MAX_JSON_DEPTH) return 'deep';
    const next: object[] = [];
    for (const container of level) {
      if (++count > MAX_CONTAINERS) return 'large';
      for (const child of Object.values(container)) if (isContainer(child)) next.push(child);
      if (next.length > MAX_CONTAINERS) return 'large';
    }
    level = next;
  }
  return 'fits';
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
