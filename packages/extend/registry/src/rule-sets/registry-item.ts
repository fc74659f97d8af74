import type { RegistryRecord, StoreReader } from '@leeward/accounts/operations';
import { z } from 'zod';
import { inForceOf } from './registry-record.ts';
import { ruleSetItem, ruleSetItemOf } from './rule-set-item.ts';

export const carrierInForceItem = z
  .strictObject({
    carrier_key: z.string(),
    versions: z
      .array(ruleSetItem)
      .nullable()
      .meta({ description: 'Approved versions; none: the carrier is withdrawn; null: it is not the registry’s.' }),
    publication: z.int().meta({ description: 'The number of the last publication of all carriers.' }),
  })
  .meta({ id: 'CarrierInForce' });

/** Versions and moratoria of a carrier. */
export type CarrierInForceItem = z.output<typeof carrierInForceItem>;

export async function carrierInForceOf(
  reader: StoreReader,
  registry: RegistryRecord,
  carrierKey: string,
  atMs: number,
): Promise<CarrierInForceItem> {
  const ids = inForceOf(registry, carrierKey);
  const records = await Promise.all((ids ?? []).map((id) => reader.get('rule_sets', id)));
  const versions = records.flatMap((record) => (record === undefined ? [] : [ruleSetItemOf(record, atMs)]));
  return { carrier_key: carrierKey, versions: ids === null ? null : versions, publication: registry.number };
}
