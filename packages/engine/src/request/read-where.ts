import { type Fault, pointer } from '@leeward/terms';
import type { AddressParts } from './schema.ts';

/** Where distances are looked up from: at most one of the two. */
export interface Where {
  readonly address: string | AddressParts | undefined;
  readonly point: { readonly lat: number; readonly lng: number } | undefined;
}

/**
 * Reads the address or the point of a request; `value` gives what each field holds, nothing where it is
 * wrong. What is given counts right or wrong: a wrong `lat` does not hide that `lng` is missing.
 */
export function readWhere(
  given: Readonly<Record<string, unknown>>,
  value: (name: string) => unknown,
  faults: Fault[],
): Where {
  const has = (name: string) => Object.hasOwn(given, name);
  for (const [present, absent] of [
    ['lat', 'lng'],
    ['lng', 'lat'],
  ] as const) {
    if (!has(present) || has(absent)) continue;
    const message = `${absent} is required when ${present} is given.`;
    faults.push({ path: pointer(absent), code: 'required_with', message });
  }
  if (has('address') && (has('lat') || has('lng'))) {
    const message = 'Give an address, or lat and lng, not both.';
    faults.push({ path: '/address', code: 'address_and_point', message });
  }
  const address = has('address') ? (value('address') as string | AddressParts | undefined) : undefined;
  const lat = value('lat') as number | undefined;
  const lng = value('lng') as number | undefined;
  return { address, point: lat !== undefined && lng !== undefined ? { lat, lng } : undefined };
}
