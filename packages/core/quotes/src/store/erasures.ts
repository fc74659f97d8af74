import { createHmac, randomUUID } from 'node:crypto';
import type { Micros } from '@leeward/terms';
import type { RawBuilder } from 'kysely';
import { ERASURES } from './data-keys.ts';
import type { StoreContext } from './store-context.ts';
import type { DataKeyRow, ErasureRow } from './tables.ts';

/** An erasure, without personal data. */
export interface Erasure {
  readonly id: string;
  readonly at: Micros;
  /** `quote`: one quote. `insured`: quotes of a person. `home`: a watched home. `tenant`: everything of a team. */
  readonly kind: ErasureRow['kind'];
  readonly teamId: string;
  /** Quote, home, team, or keyed hash of the values that name the insured. */
  readonly subject: string;
  /** Fields in the hash. */
  readonly matchedBy?: readonly string[] | undefined;
  /** Encrypted key of the hash. */
  readonly key?: { readonly id: string; readonly keyId: string; readonly wrapped: string } | undefined;
}

export interface NewErasure extends Pick<Erasure, 'kind' | 'teamId' | 'subject' | 'matchedBy'> {
  /** Data key of the hash. */
  readonly hashKeyId?: string | undefined;
}

export async function recordErasure({ db, now }: StoreContext, erasure: NewErasure): Promise<void> {
  const { kind, teamId, subject, matchedBy, hashKeyId } = erasure;
  await db
    .insertInto('quote_erasure')
    .values({
      id: randomUUID(),
      at: now() as RawBuilder<Micros>,
      kind,
      team_id: teamId,
      subject,
      matched_by: matchedBy === undefined ? null : JSON.stringify(matchedBy),
      key_id: hashKeyId ?? null,
    })
    .execute();
}

/** HMAC-SHA-256. @param keyId @default the current key */
export async function keyedHash({ dataKeys }: StoreContext, text: string, keyId?: string) {
  const { id, bytes } = keyId === undefined ? await dataKeys.current(ERASURES) : await dataKeys.byId(keyId);
  return { keyId: id, hash: createHmac('sha256', bytes).update(text).digest('base64url') };
}

/** By id, after `after`. */
export async function readErasures({ db }: StoreContext, after: string, limit: number): Promise<Erasure[]> {
  const rows = await db
    .selectFrom('quote_erasure')
    .leftJoin('quote_data_key', 'quote_data_key.id', 'quote_erasure.key_id')
    .selectAll('quote_erasure')
    .select(['quote_data_key.key_id as wrapping_id', 'wrapped'])
    .where('quote_erasure.id', '>', after)
    .orderBy('quote_erasure.id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    at: row.at,
    kind: row.kind,
    teamId: row.team_id,
    subject: row.subject,
    ...(row.matched_by !== null && { matchedBy: JSON.parse(row.matched_by) as string[] }),
    ...(row.key_id !== null && { key: { id: row.key_id, keyId: row.wrapping_id ?? '', wrapped: row.wrapped ?? '' } }),
  }));
}

/** Adds an erasure of another database, with its key. */
export async function keepErasure({ db }: StoreContext, erasure: Erasure): Promise<void> {
  const { id, at, kind, teamId, subject, matchedBy, key } = erasure;
  if (key !== undefined) {
    // Retired: hashes of this database use another key.
    const row: DataKeyRow = {
      ...{ id: key.id, team_id: ERASURES, key_id: key.keyId, wrapped: key.wrapped },
      ...{ created_at: at, retired_at: at, erased_at: null },
    };
    await db
      .insertInto('quote_data_key')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  await db
    .insertInto('quote_erasure')
    .values({
      ...{ id, at, kind, team_id: teamId, subject },
      matched_by: matchedBy === undefined ? null : JSON.stringify(matchedBy),
      key_id: key?.id ?? null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
