import type { Carrier, Catalog, CatalogChange, CatalogEntry, Vocabulary } from '@leeward/engine';
import type { PublishedMoratorium, RuleSetsInForce } from '@leeward/registry';
import { arrayOf, isObject } from '@leeward/terms';

export interface RuleSetVersion {
  readonly version: string;
  /** The file with its moratoria. */
  readonly id: string;
  readonly read: () => unknown;
}

/** Versions of the registry replace those of the base. */
export function targetVersions(base: Catalog, inForce: RuleSetsInForce): Map<string, RuleSetVersion[]> {
  const versionsOf = new Map<string, RuleSetVersion[]>();
  const moratoria = inForce.moratoria.flatMap((each) => {
    const moratorium = inWordsOf(base.vocabulary, each.moratorium);
    return moratorium === undefined ? [] : [{ ...each, moratorium }];
  });
  for (const { key, versions } of base.carriers) {
    const files = versions.map(({ ruleSet: { version, sha256, file } }) => ({ version, sha256, read: () => file }));
    versionsOf.set(key, addMoratoria(key, files, moratoria));
  }
  for (const [key, versions] of inForce.carriers) versionsOf.set(key, addMoratoria(key, versions, moratoria));
  return versionsOf;
}

/** The moratorium without policy types of other lines. Undefined if none is left. */
export function inWordsOf({ policyTypes }: Vocabulary, moratorium: unknown): unknown {
  const allTypes = isObject(moratorium) ? moratorium['policy_types'] : undefined;
  if (!isObject(moratorium) || !Array.isArray(allTypes)) return moratorium;
  const here = allTypes.filter((policyType) => policyTypes.includes(policyType));
  return here.length === 0 ? undefined : { ...moratorium, policy_types: here };
}

function isConditional(moratorium: object): boolean {
  return 'when' in moratorium || 'unless' in moratorium;
}

function addMoratoria(
  carrierKey: string,
  versions: readonly { readonly version: string; readonly sha256: string; readonly read: () => unknown }[],
  moratoria: readonly PublishedMoratorium[],
): RuleSetVersion[] {
  const stops = moratoria.filter(({ carrierKeys }) => carrierKeys?.includes(carrierKey) ?? true);
  return versions.map(({ version, sha256, read }) => ({
    version,
    id: [sha256, ...stops.map(({ moratoriumId }) => moratoriumId)].join(' '),
    read: stops.length === 0 ? read : async () => withMoratoria(await read(), stops),
  }));
}

/** A duplicate id gets a number, also one of a rule: moratoria with a condition are rules. */
export function withMoratoria(file: unknown, stops: readonly Pick<PublishedMoratorium, 'moratorium'>[]): unknown {
  if (!isObject(file)) return file;
  const moratoria = [...arrayOf(file['moratoria'])];
  const idsOf = (list: unknown) => arrayOf(list).map((each) => isObject(each) && (each['id'] ?? each['name']));
  const rules = arrayOf(file['programs']).flatMap((each) => (isObject(each) ? idsOf(each['rules']) : []));
  const usedIds = new Set(idsOf(moratoria));
  const ruleIds = new Set([...idsOf(file['rules']), ...rules]);
  for (const { moratorium } of stops) {
    if (!isObject(moratorium)) continue;
    let id = String(moratorium['id']);
    const isUsed = () => usedIds.has(id) || (isConditional(moratorium) && ruleIds.has(id));
    for (let number = 2; isUsed(); number++) id = `${moratorium['id']}-${number}`;
    usedIds.add(id);
    moratoria.push({ ...moratorium, id });
  }
  return { ...file, moratoria };
}

/** Unchanged versions are not compiled again. */
export async function changeTo(
  target: ReadonlyMap<string, readonly RuleSetVersion[]>,
  served: ReadonlyMap<string, readonly RuleSetVersion[]>,
  carriers: readonly Carrier[],
): Promise<Required<CatalogChange>> {
  const put: CatalogEntry[] = [];
  const remove: Required<CatalogChange>['remove'][number][] = [];
  const catalogKeys = new Set(carriers.map(({ key }) => key));
  for (const key of new Set([...served.keys(), ...target.keys()])) {
    const [before, after] = [served.get(key) ?? [], target.get(key) ?? []];
    const ids = (versions: readonly RuleSetVersion[]) => new Set(versions.map(({ id }) => id));
    const [idsBefore, idsAfter] = [ids(before), ids(after)];
    const added = after.filter(({ id }) => !idsBefore.has(id));
    const gone = before.filter(({ id }) => !idsAfter.has(id));
    if (added.length === 0 && gone.length === 0) continue;
    // Two versions may have one name.
    const names = before.map(({ version }) => version);
    const isWhole = gone.length === before.length || new Set(names).size < names.length;
    if (isWhole && catalogKeys.has(key)) remove.push({ carrierKey: key });
    else for (const { version } of gone) remove.push({ carrierKey: key, version });
    for (const { version, read } of isWhole ? after : added) {
      put.push({ name: `${key} ${version}`, file: await read() });
    }
  }
  return { put, remove };
}
