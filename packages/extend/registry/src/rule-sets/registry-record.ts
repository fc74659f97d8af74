import { isDeepStrictEqual } from 'node:util';
import {
  DuplicateRecordError,
  notFound,
  type PublicationRecord,
  type RegistryRecord,
  type StoreReader,
  type StoreWriter,
} from '@leeward/accounts/operations';
import type { RegistryCall } from './services.ts';

/** The registry of the catalog. */
export const INSTANCE = 'instance';

export function registryIdOf(organizationId: string | null): string {
  return organizationId ?? INSTANCE;
}

export function emptyRegistry(organizationId: string | null): RegistryRecord {
  return {
    registry_id: registryIdOf(organizationId),
    organization_id: organizationId,
    number: 0,
    carriers: {},
    moratoria: [],
    updated_at: 0,
  };
}

export async function readRegistry(reader: StoreReader, organizationId: string | null): Promise<RegistryRecord> {
  return (await reader.get('registries', registryIdOf(organizationId))) ?? emptyRegistry(organizationId);
}

/** Creates the first record. */
export async function lockRegistry(writer: StoreWriter, organizationId: string | null): Promise<RegistryRecord> {
  if (organizationId !== null && (await writer.lock('organizations', organizationId)) === undefined) throw notFound();
  const stored = await writer.lock('registries', registryIdOf(organizationId));
  if (stored !== undefined) return stored;
  const registry = emptyRegistry(organizationId);
  await writer.insert('registries', registry);
  return registry;
}

/** Repeats a transaction that conflicted with the same new registry or file. */
export async function writeRegistry<T>(call: RegistryCall, work: (writer: StoreWriter) => Promise<T>): Promise<T> {
  try {
    return await call.services.store.write(work);
  } catch (error) {
    if (!(error instanceof DuplicateRecordError)) throw error;
    return call.services.store.write(work);
  }
}

export interface Publication {
  readonly action: PublicationRecord['action'];
  /** null: moratoria. */
  readonly carrierKey: string | null;
  /** null: unknown to the registry. */
  readonly after: readonly string[] | null;
  readonly undoes?: number;
}

/** Raises the number, which other processes follow. */
export async function publish(
  call: RegistryCall,
  writer: StoreWriter,
  registry: RegistryRecord,
  { action, carrierKey, after, undoes }: Publication,
): Promise<RegistryRecord> {
  const before = carrierKey === null ? registry.moratoria : inForceOf(registry, carrierKey);
  const { [carrierKey ?? '']: _, ...others } = registry.carriers;
  const next: RegistryRecord = {
    ...registry,
    number: registry.number + 1,
    carriers: carrierKey === null || after === null ? others : { ...others, [carrierKey]: after },
    moratoria: carrierKey === null ? (after ?? []) : registry.moratoria,
    updated_at: call.atMs,
  };
  await writer.replace('registries', next);
  await writer.insert('publications', {
    publication_id: call.services.newId(),
    registry_id: registry.registry_id,
    organization_id: registry.organization_id,
    number: next.number,
    at: call.atMs,
    action,
    carrier_key: carrierKey,
    before,
    after,
    undoes: undoes ?? null,
  });
  const { organization_id: organizationId } = registry;
  const organization = organizationId === null ? undefined : await writer.get('organizations', organizationId);
  if (organization !== undefined) {
    await writer.replace('organizations', { ...organization, catalog_stamp: call.services.newId() });
  }
  return next;
}

/** null: unknown to the registry. */
export function inForceOf({ carriers }: RegistryRecord, carrierKey: string): readonly string[] | null {
  return Object.hasOwn(carriers, carrierKey) ? (carriers[carrierKey] ?? null) : null;
}

export function sameIds(a: readonly string[] | null, b: readonly string[] | null): boolean {
  return isDeepStrictEqual(a, b);
}
