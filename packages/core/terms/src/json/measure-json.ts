import type { Fault } from '../fault/fault.ts';

/** Maximum size of a request body, or of a file in it. */
export const MAX_JSON_BYTES = 256 * 1024;

/** Maximum depth, which recursive functions can walk. */
export const MAX_JSON_DEPTH = 64;

const encoder = new TextEncoder();

const MAX_CONTAINERS = MAX_JSON_BYTES / 2;

/**
 * Returns the JSON text, or one fault: `too_large`, `too_deep` or `not_json`.
 * @example
 * measureJson({ state: 'tx' }, ''); // { text: '{"state":"tx"}', faults: [] }
 */
export function measureJson(value: unknown, path: string): { text: string; faults: [] } | { faults: Fault[] } {
  const fault = (code: string, message: string) => ({ faults: [{ path, code, message }] });
  const tooLarge = (bytes: string) => fault('too_large', `has ${bytes} bytes; at most ${MAX_JSON_BYTES} are accepted.`);
  // First: shared references can make a small value an endless text.
  const extent = extentOf(value);
  if (extent === 'deep') return fault('too_deep', `nests deeper than ${MAX_JSON_DEPTH} levels.`);
  if (extent === 'large') return tooLarge(`more than ${MAX_JSON_BYTES}`);
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    text = undefined;
  }
  if (text === undefined) return fault('not_json', 'holds values that JSON cannot represent.');
  const bytes = encoder.encode(text).byteLength;
  return bytes > MAX_JSON_BYTES ? tooLarge(`${bytes}`) : { text, faults: [] };
}

/** Level by level, not recursive. A cycle counts as too deep. */
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
