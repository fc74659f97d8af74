import { type Bom, type Component, licenceOf } from './bom.ts';

/** Markdown: for each licence the dependencies under it, without our own packages. */
export function licenceReport(
  boms: readonly Bom[],
  ownScope = '@leeward/',
): { readonly text: string; readonly count: number } {
  const dependencies = new Map<string, Component>();
  for (const { components } of boms) {
    for (const each of components) if (!each.name.startsWith(ownScope)) dependencies.set(each['bom-ref'], each);
  }
  const byLicence = Map.groupBy(dependencies.values(), licenceOf);
  const rows = [...byLicence]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([licence, all]) => {
      const names = all.map(({ name, version }) => `${name} ${version}`).toSorted();
      return `| ${licence} | ${names.length} | ${names.join(', ')} |\n`;
    });
  return {
    text: `# Licences of shipped dependencies\n\n| Licence | Dependencies | |\n|---|---|---|\n${rows.join('')}`,
    count: dependencies.size,
  };
}
