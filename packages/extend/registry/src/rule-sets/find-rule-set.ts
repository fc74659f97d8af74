import {
  type Authority,
  isIdentifier,
  mayReach,
  notFound,
  organizationOf,
  type RuleSetRecord,
  type StoreReader,
} from '@leeward/accounts/operations';
import type { RegistryCall } from './services.ts';

/** The organization whose rule sets a request is about; null: the catalog, which the operator manages. */
export async function ownerOf(call: RegistryCall, requested: string | null | undefined): Promise<string | null> {
  if (isOperator(call.authority) && (requested === undefined || requested === null)) return null;
  const organizationId = organizationOf(call.authority, requested);
  if ((await call.services.store.reader.get('organizations', organizationId)) === undefined) throw notFound();
  return organizationId;
}

export function isOperator(authority: Authority): boolean {
  return authority.organizationId === undefined;
}

/** A version that the actor may reach; another organization's is not there, nor is the catalog's for an organization. */
export async function findRuleSet(call: RegistryCall, reader: StoreReader, id: string): Promise<RuleSetRecord> {
  const record = isIdentifier(id) ? await reader.get('rule_sets', id) : undefined;
  if (record === undefined || !mayReach(call.authority, record.organization_id)) throw notFound();
  return record;
}

/** The text of a version's file. */
export async function fileOf(reader: StoreReader, { sha256 }: RuleSetRecord): Promise<string> {
  const file = await reader.get('rule_set_files', sha256);
  if (file === undefined) throw new Error(`The file of the hash ${sha256} is not in the store.`);
  return file.rule_set;
}

/** The files of versions, as JSON has them. */
export async function filesOf(reader: StoreReader, ids: readonly string[] | null): Promise<unknown[] | undefined> {
  if (ids === null) return undefined;
  const files: unknown[] = [];
  for (const id of ids) {
    const record = await reader.get('rule_sets', id);
    if (record !== undefined) files.push(JSON.parse(await fileOf(reader, record)));
  }
  return files;
}
