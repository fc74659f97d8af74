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

/** null: the catalog. */
export async function ownerOf(call: RegistryCall, requested: string | null | undefined): Promise<string | null> {
  if (isOperator(call.authority) && (requested === undefined || requested === null)) return null;
  const organizationId = organizationOf(call.authority, requested);
  if ((await call.services.store.reader.get('organizations', organizationId)) === undefined) throw notFound();
  return organizationId;
}

export function isOperator(authority: Authority): boolean {
  return authority.organizationId === undefined;
}

/** @throws {AdministrationError} `not_found` also for versions of others and of the catalog. */
export async function findRuleSet(call: RegistryCall, reader: StoreReader, id: string): Promise<RuleSetRecord> {
  const record = isIdentifier(id) ? await reader.get('rule_sets', id) : undefined;
  if (record === undefined || !mayReach(call.authority, record.organization_id)) throw notFound();
  return record;
}

/** JSON text. */
export async function fileOf(reader: StoreReader, { sha256 }: RuleSetRecord): Promise<string> {
  const file = await reader.get('rule_set_files', sha256);
  if (file === undefined) throw new Error(`The file of the hash ${sha256} is not in the store.`);
  return file.rule_set;
}

/** Parsed files. */
export async function filesOf(reader: StoreReader, ids: readonly string[] | null): Promise<unknown[] | undefined> {
  if (ids === null) return undefined;
  const files: unknown[] = [];
  for (const id of ids) {
    const record = await reader.get('rule_sets', id);
    if (record !== undefined) files.push(JSON.parse(await fileOf(reader, record)));
  }
  return files;
}
