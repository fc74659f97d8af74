import { readdirSync, readFileSync } from 'node:fs';
import { type Catalog, type CatalogEntry, createCatalog } from '@leeward/engine';

const fixtures = new URL('../../../fixtures/', import.meta.url);

/** Every rule set of the invented carriers. */
export function fixtureEntries(): CatalogEntry[] {
  return readdirSync(new URL('carriers/', fixtures)).flatMap((key) =>
    readdirSync(new URL(`carriers/${key}/`, fixtures))
      .filter((name) => name.startsWith('rule-set'))
      .map((name) => ({
        name: `${key}/${name}`,
        file: JSON.parse(readFileSync(new URL(`carriers/${key}/${name}`, fixtures), 'utf8')) as unknown,
      })),
  );
}

let catalog: Catalog | undefined;

/** Returns all fixtures as one catalog, checked and compiled once per process. Tests only read it. */
export function fixtureCatalog(): Catalog {
  catalog ??= createCatalog(fixtureEntries());
  return catalog;
}

/** Every fixture home, as a request. */
export function fixtureHomes(): Record<string, unknown>[] {
  return readdirSync(new URL('homes/', fixtures)).map(
    (name) => JSON.parse(readFileSync(new URL(`homes/${name}`, fixtures), 'utf8')) as Record<string, unknown>,
  );
}
