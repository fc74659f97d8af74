import { formatInstant } from '@leeward/terms';
import { z } from 'zod';
import type { TokenRecord } from '../../store/records.ts';
import { isUsable } from '../../token/is-usable.ts';
import { reminderOf, reminders } from '../../token/rotation.ts';
import { tokenPrefix } from '../../token/token-text.ts';
import { scopes } from '../../vocabulary/scopes.ts';
import { itemFields, keptOf, meaningOf } from '../item-fields.ts';

export const tokenItem = z
  .strictObject({
    token_id: z.string(),
    organization_id: z.string().nullable().meta({ description: "null: an operator's." }),
    team_id: z.string().nullable().meta({ description: 'null: a key of the whole organization.' }),
    user_id: z.string().nullable().meta({ description: "The person who made it; null: a program's." }),
    name: z.string().nullable(),
    prefix: z.string().meta({ description: 'Start of the token, to recognize it.' }),
    environment: z.string(),
    scopes: z.array(z.enum(scopes)).readonly(),
    status: z.enum(['active', 'expired', 'revoked']),
    networks: z
      .array(z.string())
      .readonly()
      .nullable()
      .meta({ description: 'Networks that it is valid in; null: any.' }),
    expires_at: z.string().nullable(),
    reminder: z.enum(reminders).nullable().meta({
      description:
        'Why to rotate a valid token: it expires within 14 days, or its lifetime is longer than the policy of the instance allows.',
    }),
    revoked_at: z.string().nullable(),
    last_used_at: z.string().nullable().meta({ description: 'To the minute.' }),
    rotated_from: z.string().nullable().meta({ description: 'The token that this one replaces.' }),
    ...itemFields,
  })
  .meta({ id: 'Token' });

/** A token without its secret. */
export type TokenItem = z.infer<typeof tokenItem>;

export const mintedTokenItem = tokenItem
  .extend({ token: z.string().meta({ description: 'The token. It is returned only once and is not stored.' }) })
  .meta({ id: 'MintedToken' });

/** A new token with its secret, which is returned only once. */
export type MintedTokenItem = z.infer<typeof mintedTokenItem>;

export function tokenItemOf(record: TokenRecord, nowMs: number, maxDays: number | undefined): TokenItem {
  const isValid = isUsable(record, nowMs);
  return {
    token_id: record.token_id,
    organization_id: record.organization_id,
    team_id: record.team_id,
    user_id: record.user_id,
    name: record.name,
    prefix: tokenPrefix(record.environment, record.token_id),
    environment: record.environment,
    scopes: record.scopes,
    status: record.revoked_at !== null ? 'revoked' : isValid ? 'active' : 'expired',
    networks: record.networks,
    expires_at: instantOrNull(record.expires_at),
    reminder: isValid ? reminderOf(record, nowMs, maxDays) : null,
    revoked_at: instantOrNull(record.revoked_at),
    last_used_at: instantOrNull(record.last_used_at),
    rotated_from: record.rotated_from,
    ...keptOf(record),
  };
}

/** For the audit log: without secret, hash, and values that change with time. */
export function auditedToken(record: TokenRecord): Readonly<Record<string, unknown>> {
  const { status: _, last_used_at: __, reminder: ___, ...item } = tokenItemOf(record, 0, undefined);
  return meaningOf(item);
}

function instantOrNull(ms: number | null): string | null {
  return ms === null ? null : formatInstant(ms);
}
