import type { Fault } from '@leeward/terms';
import { arrayOf, isObject, own } from '@leeward/terms';

const MAX_RULES = 500;
const MAX_BYTES = 256 * 1024;

export function sizeFault(file: unknown): Fault | undefined {
  let bytes: number;
  try {
    bytes = new TextEncoder().encode(JSON.stringify(file)).length;
  } catch (error) {
    return { path: '', code: 'invalid_value', message: `The file is not JSON: ${(error as Error).message}.` };
  }
  if (bytes <= MAX_BYTES) return undefined;
  return { path: '', code: 'too_large', message: `${bytes} bytes; at most ${MAX_BYTES} are accepted.` };
}

export function countFault(file: Record<string, unknown>): Fault | undefined {
  const lists = [file, ...arrayOf(own(file, 'programs'))].map((owner) =>
    isObject(owner) ? arrayOf(own(owner, 'rules')) : [],
  );
  const count = lists.reduce((sum, list) => sum + list.length, 0);
  if (count <= MAX_RULES) return undefined;
  return { path: '', code: 'too_many_rules', message: `${count} rules; at most ${MAX_RULES} are accepted.` };
}
