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

/** The state at the end of a found address: `Ocala, FL 34471`, `…, Florida, 33139, United States`. */
export function stateIn(address: string, places: Places): string | undefined {
  const last = address
    .split(',')
    .map((part) =>
      part
        .replace(/\b\d{5}(-\d{4})?\b/, '')
        .trim()
        .toLowerCase(),
    )
    .findLast((part) => part !== '' && !/^(usa?|united states( of america)?)$/.test(part));
  if (last === undefined) return undefined;
  const isLast = (words: string) => last === words || last.endsWith(` ${words}`);
  const names = Object.entries(places).map(([code, { name }]) => [code, name.toLowerCase()] as const);
  // West Virginia ends as Virginia does.
  names.sort(([, a], [, b]) => b.length - a.length);
  return names.find(([code, name]) => isLast(code) || isLast(name))?.[0];
}
