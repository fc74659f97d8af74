import { signal } from '@preact/signals';
import { dataFile } from './data-file.ts';

/** Counties by state code. */
export type Places = Readonly<
  Record<string, { readonly name: string; readonly counties: readonly (readonly [string, string])[] }>
>;

export const places = signal<Places>({});

/** Loaded once. After a failure the form works without them, and tries again when it opens. */
export async function wantPlaces(): Promise<void> {
  if (Object.keys(places.value).length > 0) return;
  const response = await fetch(dataFile('counties')).catch(() => undefined);
  if (response?.ok) places.value = (await response.json()) as Places;
}
