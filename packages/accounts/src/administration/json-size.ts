import type { Fault } from '../administration-error.ts';

const largestBytes = 256 * 1024;
const deepest = 64;

/** Objects and arrays, at most: more do not fit into the bytes allowed. */
const mostContainers = largestBytes / 2;

/** What is said of JSON too large or too deep to be looked into, or of what is no JSON; no faults: its text. */
export function measureJson(value: unknown, path: string): { text: string; faults: [] } | { faults: Fault[] } {
  const fault = (code: string, message: string) => ({ faults: [{ path, code, message }] });
  const tooLarge = (bytes: string) => fault('too_large', `has ${bytes} bytes; at most ${largestBytes} are accepted.`);
  // Looked into before it is written out: what is shared inside may be small here and endless as text.
  const extent = extentOf(value);
  if (extent === 'deep') return fault('too_deep', `nests deeper than ${deepest} levels.`);
  if (extent === 'large') return tooLarge(`more than ${largestBytes}`);
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    text = undefined;
  }
  if (text === undefined) return fault('not_json', 'holds what JSON cannot carry.');
  const bytes = Buffer.byteLength(text);
  return bytes > largestBytes ? tooLarge(`${bytes}`) : { text, faults: [] };
}

/** Level by level and without recursion, so that no depth overflows; a cycle is deeper than anything. */
function extentOf(value: unknown): 'deep' | 'large' | 'fits' {
  let level = [value].filter(isContainer);
  let count = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= deepest) return 'deep';
    const next: object[] = [];
    for (const container of level) {
      if (++count > mostContainers) return 'large';
      for (const child of Object.values(container)) if (isContainer(child)) next.push(child);
      if (next.length > mostContainers) return 'large';
    }
    level = next;
  }
  return 'fits';
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
