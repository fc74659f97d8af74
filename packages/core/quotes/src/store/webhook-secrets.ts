import { randomBytes } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { StoreContext } from './store-context.ts';
import type { WebhookRow } from './tables.ts';

export type SecretRow = Pick<WebhookRow, 'id' | 'secret' | 'previous_secret'> & { readonly is_previous_good: number };

/** Encrypted like `fields`, bound to the webhook. */
export function sealSecret({ cipher }: StoreContext, webhookId: string, secret: string): string {
  return cipher.seal({ secret }, webhookId);
}

/** The current secret, and the previous one while valid; none under a key that is not configured. */
export function secretsOf(context: StoreContext, row: SecretRow): string[] {
  return [
    ...openSecret(context, row.id, row.secret),
    ...(row.is_previous_good === 1 ? openSecret(context, row.id, row.previous_secret) : []),
  ];
}

function openSecret({ cipher }: StoreContext, id: string, sealed: string | null): string[] {
  if (sealed === null) return [];
  try {
    return [String(cipher.open(sealed, id)['secret'])];
  } catch {
    return [];
  }
}

export function isPreviousGood({ now }: StoreContext): RawBuilder<unknown> {
  return sql`case when previous_until > ${now()} then 1 else 0 end as is_previous_good`;
}

export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
