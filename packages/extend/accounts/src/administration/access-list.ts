import { isDeepStrictEqual } from 'node:util';
import type { StoreReader, StoreWriter } from '../store/account-store.ts';
import type { UserRecord } from '../store/records.ts';
import type { HeldRole } from '../vocabulary/roles.ts';
import type { AuditedCall } from './audit-log.ts';
import { authorityOf, type SystemActor } from './authority.ts';
import type { Services } from './operation.ts';
import { change } from './resources/tokens.ts';
import { auditUser } from './resources/users.ts';

/*
 * A backup holds tokens that were revoked later, and people who were disabled or lost roles later. A list of valid tokens and people, kept apart
 * from the database, takes them away again after a restore. Revoked tokens cannot be listed: some were removed with their organization.
 */

/** Tokens and people that were valid at a moment. Without personal data and secrets. */
export interface AccessList {
  readonly kind: 'access';
  /** Epoch milliseconds. */
  readonly atMs: number;
  readonly tokenIds: readonly string[];
  readonly users: readonly { readonly userId: string; readonly roles: readonly HeldRole[] }[];
}

/** Number of tokens that were revoked, and of people who were disabled or lost roles. */
export interface RestrictedAccess {
  readonly tokens: number;
  readonly users: number;
}

/** Lists and restricts the access that tokens and people have. */
export interface Access {
  list(): Promise<AccessList>;
  /** After a restore: revokes older tokens that are not in the list, disables older people, and takes away roles. Can be repeated. */
  restrictTo(list: AccessList, actor: SystemActor): Promise<RestrictedAccess>;
}

const PAGE_SIZE = 500;

export function createAccess(services: Services): Access {
  const { store, now } = services;
  return {
    list: () =>
      store.read(async (reader) => {
        const tokenIds: string[] = [];
        for await (const { token_id, revoked_at } of all(reader, 'tokens')) {
          if (revoked_at === null) tokenIds.push(token_id);
        }
        const users: AccessList['users'][number][] = [];
        for await (const { user_id: userId, status, roles } of all(reader, 'users')) {
          if (status === 'active') users.push({ userId, roles });
        }
        return { kind: 'access', atMs: now(), tokenIds, users };
      }),
    async restrictTo({ atMs, tokenIds, users }, actor) {
      const authority = authorityOf(actor);
      const callAt = (): AuditedCall => ({
        ...{ services, authority, atMs: now(), requestId: null, network: actor.system },
      });
      const validTokens = new Set(tokenIds);
      const rolesOf = new Map(users.map(({ userId, roles }) => [userId, roles]));
      const count = { tokens: 0, users: 0 };
      for await (const { token_id } of all(store.reader, 'tokens')) {
        if (validTokens.has(token_id)) continue;
        count.tokens += await store.write(async (writer) => {
          const token = await writer.lock('tokens', token_id);
          if (token === undefined || token.revoked_at !== null || token.created_at > atMs) return 0;
          const call = callAt();
          await change(call, writer, 'remove', token, { revoked_at: call.atMs });
          return 1;
        });
      }
      for await (const { user_id } of all(store.reader, 'users')) {
        count.users += await store.write((writer) =>
          restrictUser(writer, callAt(), user_id, rolesOf.get(user_id), atMs),
        );
      }
      return count;
    },
  };
}

/** @returns 1 if the person changed */
async function restrictUser(
  writer: StoreWriter,
  call: AuditedCall,
  userId: string,
  allowed: readonly HeldRole[] | undefined,
  listedAtMs: number,
): Promise<0 | 1> {
  const before = await writer.lock('users', userId);
  if (before === undefined || before.status !== 'active' || before.created_at > listedAtMs) return 0;
  const roles = before.roles.filter((role) => allowed?.some((each) => isDeepStrictEqual(each, role)));
  if (allowed !== undefined && roles.length === before.roles.length) return 0;
  const after: UserRecord = {
    ...before,
    ...(allowed === undefined ? { status: 'disabled' } : { roles }),
    ...{ revision: before.revision + 1, updated_at: call.atMs },
  };
  await writer.replace('users', after);
  await auditUser(writer, call, 'update', before, after);
  return 1;
}

async function* all<K extends 'tokens' | 'users'>(reader: StoreReader, kind: K) {
  for (let after: string | undefined; ; ) {
    const page = await reader.list(kind, { after, limit: PAGE_SIZE });
    yield* page;
    if (page.length < PAGE_SIZE) return;
    const last = page.at(-1)!;
    after = 'token_id' in last ? last.token_id : last.user_id;
  }
}
