import type { Fault } from '../administration-error.ts';

const largestBytes = 256 * 1024;
const deepest = 64;

/** What is said of JSON too large or too deep to be looked into, or of what is no JSON; no faults: its text. */
export function measureJson(value: unknown, path: string): { text: string; faults: [] } | { faults: Fault[] } {
  const fault = (code: string, message: string) => ({ faults: [{ path, code, message }] });
  if (isTooDeep(value)) return fault('too_deep', `nests deeper than ${deepest} levels.`);
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    text = undefined;
  }
  if (text === undefined) return fault('not_json', 'holds what JSON cannot carry.');
  const bytes = Buffer.byteLength(text);
  if (bytes > largestBytes) return fault('too_large', `has ${bytes} bytes; at most ${largestBytes} are accepted.`);
  return { text, faults: [] };
}

/** Level by level and without recursion, so that no depth overflows; a cycle is deeper than anything. */
function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= deepest) return true;
    // A thing met twice on one level is looked into once, or sharing would double the work at each.
    level = [...new Set(level.flatMap((container) => Object.values(container).filter(isContainer)))];
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
