import { isWithin } from '../request/knowledge.ts';

/** Follows dotted names of own properties. Returns values that are not objects unchanged. */
export function resolvePath(value: unknown, path: string): unknown {
  if (typeof value !== 'object' || value === null || isWithin(value)) return value;
  let at: unknown = value;
  for (const name of path.replace(/^\$\.?/, '').split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}
