import { randomBytes } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { StoreContext } from './store-context.ts';
import { openSealed } from './stored-answer.ts';
import type { WebhookRow } from './tables.ts';

export type SecretRow = Pick<WebhookRow, 'id' | 'secret' | 'previous_secret'> & { readonly is_previous_good: number };

interface NewSecret {
  readonly id: string;
  readonly teamId: string;
  readonly secret: string;
}

/** Encrypted like `fields`, bound to the webhook. */
export function sealSecret({ cipher }: StoreContext, { id, teamId, secret }: NewSecret): Promise<string> {
  return cipher.seal(teamId, { secret }, id);
}

/** The current secret, and the previous one while valid; none under a key that is not configured. */
export async function secretsOf(context: StoreContext, row: SecretRow): Promise<string[]> {
  return [
    ...(await openSecret(context, row.id, row.secret)),
    ...(row.is_previous_good === 1 ? await openSecret(context, row.id, row.previous_secret) : []),
  ];
}

async function openSecret({ cipher }: StoreContext, id: string, sealed: string | null): Promise<string[]> {
  const opened = sealed === null ? 'erased' : await openSealed(cipher, sealed, id);
  return typeof opened === 'string' ? [] : [String(opened['secret'])];
}

export function isPreviousGood({ now }: StoreContext): RawBuilder<unknown> {
  return sql`case when previous_until > ${now()} then 1 else 0 end as is_previous_good`;
}

export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
