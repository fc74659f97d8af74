import { itemFields, keptOf, type MoratoriumRecord } from '@leeward/accounts/operations';
import { z } from 'zod';
import { fourEyesItem, signatureOf } from './rule-set-item.ts';

const signature = z.strictObject({ by: z.string(), at: z.string() }).nullable();

export const moratoriumItem = z
  .strictObject({
    moratorium_id: z.string(),
    carrier_keys: z.array(z.string()).nullable().meta({ description: 'Carriers it stops; null: all of the catalog.' }),
    moratorium: z.looseObject({ id: z.string() }).meta({ description: 'As a rule set has it.' }),
    status: z.enum(['proposed', 'approved', 'withdrawn']),
    proposed: signature,
    approved: signature,
    four_eyes: fourEyesItem,
    ...itemFields,
  })
  .meta({ id: 'Moratorium', description: 'A temporary stop for carriers of the catalog.' });

/** A moratorium in responses. */
export type MoratoriumItem = z.output<typeof moratoriumItem>;

export function moratoriumItemOf(record: MoratoriumRecord): MoratoriumItem {
  return {
    moratorium_id: record.moratorium_id,
    carrier_keys: record.carrier_keys === null ? null : [...record.carrier_keys],
    moratorium: record.moratorium as MoratoriumItem['moratorium'],
    status: record.status,
    proposed: signatureOf(record.proposed_by, record.proposed_at),
    approved: signatureOf(record.approved_by, record.approved_at),
    four_eyes: record.four_eyes,
    ...keptOf(record),
  };
}
