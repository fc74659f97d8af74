/** The parts of a CycloneDX bill of materials that are read here. */
export interface Bom {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

export interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string; readonly name?: string };
    readonly expression?: string;
  }[];
}

/** Names of the dependencies that are installed with each package of the workspace. */
export type ShippedDependencies = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Selects one package and all that is installed with it out of the bill of the workspace. `npm sbom --workspace` leaves out packages that a
 * development dependency needs as well, and describes the workspace instead of the package.
 *
 * @throws {Error} If the package is not in the bill.
 */
export function bomOfPackage(bom: Bom, packageName: string, shipped: ShippedDependencies): Bom {
  const components = new Map(bom.components.map((each) => [each['bom-ref'], { ...each, name: nameIn(each.purl) }]));
  const dependsOn = new Map(bom.dependencies.map((each) => [each.ref, each.dependsOn]));
  const subject = [...components.values()].find(({ name }) => name === packageName);
  if (subject === undefined) throw new Error(`npm lists no ${packageName}.`);
  const included = new Map([[subject['bom-ref'], [] as string[]]]);
  for (const [ref, needed] of included) {
    const own = shipped.get(components.get(ref)!.name);
    for (const next of dependsOn.get(ref) ?? []) {
      const component = components.get(next);
      if (component === undefined || own?.has(component.name) === false) continue;
      needed.push(next);
      if (!included.has(next)) included.set(next, []);
    }
  }
  return {
    ...bom,
    metadata: { ...bom.metadata, component: subject },
    components: [...components.values()].filter((each) => each !== subject && included.has(each['bom-ref'])),
    dependencies: [...included].map(([ref, needed]) => ({ ref, dependsOn: needed })),
  };
}

/** `pkg:npm/%40leeward/engine@1.2.0` → `@leeward/engine` */
function nameIn(purl: string): string {
  return decodeURIComponent(/^pkg:npm\/(.+?)@[^@]+$/.exec(purl)?.[1] ?? purl);
}

/** Licences that a manifest misspells, by the licence file of the package. */
const corrected: Readonly<Record<string, string>> = { 'splaytree-ts@1.0.2': 'BSD-3-Clause' };

export function licenceOf({ 'bom-ref': ref, licenses = [] }: Component): string {
  const all = licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? 'unknown');
  return corrected[ref] ?? (all.join(' AND ') || 'unknown');
}
