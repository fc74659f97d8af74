import type { RegistryRecord, StoreWriter } from '@leeward/accounts/operations';

/** Key of the record that counts changes of events. */
export const HAZARD_EVENTS = 'hazard_events';

/** Locks the events against other writers until the transaction ends. */
export async function lockHazardEvents(writer: StoreWriter): Promise<RegistryRecord> {
  const stored = await writer.lock('registries', HAZARD_EVENTS);
  if (stored !== undefined) return stored;
  const registry = {
    registry_id: HAZARD_EVENTS,
    organization_id: null,
    number: 0,
    carriers: {},
    moratoria: [],
    updated_at: 0,
  };
  await writer.insert('registries', registry);
  return registry;
}

/** Raises the number, which other processes follow. */
export async function countChange(writer: StoreWriter, registry: RegistryRecord, atMs: number): Promise<void> {
  await writer.replace('registries', { ...registry, number: registry.number + 1, updated_at: atMs });
}
