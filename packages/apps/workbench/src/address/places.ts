import { signal } from '@preact/signals';
import { dataFile } from './data-file.ts';

/** States by their codes, with the FIPS code and name of each county. */
export type Places = Readonly<
  Record<string, { readonly name: string; readonly counties: readonly (readonly [string, string])[] }>
>;

export const places = signal<Places>({});

/** Loads them, once; a form works without, and asks again when it is opened again. */
export async function wantPlaces(): Promise<void> {
  if (Object.keys(places.value).length > 0) return;
  const response = await fetch(dataFile('counties')).catch(() => undefined);
  if (response?.ok) places.value = (await response.json()) as Places;
}
