import { formatInstant, neverEmpty } from '@leeward/terms';
import { z } from 'zod';
import { AdministrationError, conflict, invalid, notFound } from '../../administration-error.ts';
import type { StoreWriter } from '../../store/account-store.ts';
import type { TokenRecord } from '../../store/records.ts';
import { isUsable } from '../../token/is-usable.ts';
import { latestEnd } from '../../token/rotation.ts';
import { hashToken } from '../../token/token-hash.ts';
import { SECRET_BYTES, writeToken } from '../../token/token-text.ts';
import { defaultScopes, type Scope, scopes } from '../../vocabulary/scopes.ts';
import { type AuditedCall, changesBetween, writeAudit } from '../audit-log.ts';
import { organizationOf } from '../authority.ts';
import {
  identifierField,
  instantField,
  nameField,
  networksField,
  organizationField,
  revisionField,
} from '../fields.ts';
import { type Call, createOperation, type Operation, type Services } from '../operation.ts';
import { pageFields, pageOf, readPage } from '../page.ts';
import { findLocked, refuseStale, whereOf } from '../resource.ts';
import { teamIn } from './producers.ts';
import {
  auditedToken,
  type MintedTokenItem,
  mintedTokenItem,
  type TokenItem,
  tokenItem,
  tokenItemOf,
} from './token-item.ts';

const DAY_SECONDS = 86_400;

/** Scopes that need no organization. */
const ofOperators: ReadonlySet<Scope> = new Set(['operator', 'underwrite', 'distance', 'rules']);

const scopesField = z
  .array(z.enum(scopes))
  .min(1)
  .max(scopes.length)
  .overwrite((names) => scopes.filter((scope) => names.includes(scope)))
  .nullish()
  .meta({
    description: `Scopes of the token. Default: ${defaultScopes.organization.join(', ')}; for a team ${defaultScopes.team.join(', ')}.`,
  });

export const createTokenRequest = z.strictObject({
  organization_id: organizationField,
  team_id: neverEmpty(
    identifierField.nullish().meta({ description: "Makes it the team's token, which may quote." }),
    "the token would be the whole organization's",
  ),
  name: nameField.nullish(),
  scopes: neverEmpty(scopesField, 'the token would have all that is usual'),
  networks: neverEmpty(networksField, 'the token would be valid everywhere'),
  expires_at: instantField('expires_at'),
});

export const updateTokenRequest = z.strictObject({
  token_id: identifierField,
  revision: revisionField,
  name: nameField.nullish(),
  networks: neverEmpty(networksField, 'the token would be valid everywhere'),
  expires_at: instantField('expires_at'),
});

export const rotateTokenRequest = z.strictObject({
  token_id: identifierField,
  overlap_seconds: z
    .int()
    .min(0)
    .max(30 * DAY_SECONDS)
    .nullish()
    .meta({ description: 'Hours for which the old token remains valid; default 24.' }),
  expires_at: instantField('expires_at').meta({
    description: "When the new one ends; left out: after the old one's time, again.",
  }),
});

export interface Tokens {
  readonly list: Operation<{ items: TokenItem[]; next: string | null }>;
  readonly create: Operation<MintedTokenItem>;
  readonly update: Operation<TokenItem>;
  readonly rotate: Operation<MintedTokenItem>;
  readonly remove: Operation<TokenItem>;
}

export function createTokens(services: Services): Tokens {
  return {
    list: createOperation(services, {
      name: 'tokens.list',
      summary: 'List tokens, without their secrets.',
      request: z.strictObject({
        organization_id: organizationField,
        token_id: identifierField.nullish(),
        team_id: identifierField.nullish(),
        ...pageFields,
      }),
      response: pageOf(tokenItem),
      async perform(call, request) {
        const where = await whereOf<'tokens'>(call, request, ['token_id', 'team_id']);
        const page = await readPage(call, 'tokens', where, request);
        return {
          items: page.records.map((record) => tokenItemOf(record, call.atMs, call.services.tokenMaxDays)),
          next: page.next,
        };
      },
    }),
    create: createOperation(services, {
      name: 'tokens.create',
      summary: 'Create a token. The response is the only place that contains its secret.',
      request: createTokenRequest,
      response: mintedTokenItem,
      async perform(call, request) {
        const teamId = request.team_id ?? null;
        const granted = request.scopes ?? defaultScopes[teamId === null ? 'organization' : 'team'];
        refuseScopes(call, granted, teamId);
        const ofOperator = granted.includes('operator');
        if (ofOperator && typeof request.organization_id === 'string') {
          throw invalid(
            '/organization_id',
            'operator_of_all',
            "must be left out: an operator's token does not belong to an organization.",
          );
        }
        const organizationId = ofOperator ? null : organizationOf(call.authority, request.organization_id);
        return call.services.store.write(async (writer) => {
          if (organizationId !== null) {
            if ((await writer.lock('organizations', organizationId)) === undefined) throw notFound();
            if (teamId !== null) await teamIn(organizationId, teamId, writer);
          }
          const fields = { organization_id: organizationId, team_id: teamId, scopes: granted, rotated_from: null };
          const user_id = call.authority.userId;
          const expiresAt = withinPolicy(call, futureOf(call, request.expires_at));
          return mint(call, writer, 'create', {
            ...fields,
            user_id,
            name: request.name ?? null,
            networks: request.networks ?? null,
            expires_at: expiresAt,
          });
        });
      },
    }),
    update: createOperation(services, {
      name: 'tokens.update',
      summary: 'Change the name, the networks or the expiry of a token.',
      request: updateTokenRequest,
      response: tokenItem,
      async perform(call, request) {
        return call.services.store.write(async (writer) => {
          const { record } = await findLocked(call, writer, 'tokens', request.token_id);
          refuseScopesOf(call, record);
          refuseOfOthers(call, record);
          refuseRevoked(record);
          refuseStale('token', record.revision, request.revision);
          return change(call, writer, 'update', record, {
            ...(request.name !== undefined && { name: request.name }),
            ...(request.networks !== undefined && { networks: request.networks }),
            ...(request.expires_at !== undefined && {
              expires_at: changedWithinPolicy(call, futureOf(call, request.expires_at), record),
            }),
          });
        });
      },
    }),
    rotate: createOperation(services, {
      name: 'tokens.rotate',
      summary: 'Rotate a token: creates its replacement; the old one works for a while.',
      request: rotateTokenRequest,
      response: mintedTokenItem,
      async perform(call, request) {
        return rotate(call, request);
      },
    }),
    remove: createOperation(services, {
      name: 'tokens.remove',
      summary: 'Revoke a token immediately and permanently. It stays in the list.',
      request: z.strictObject({ token_id: identifierField, revision: revisionField.nullish() }),
      response: tokenItem,
      async perform(call, request) {
        return call.services.store.write(async (writer) => {
          const { record } = await findLocked(call, writer, 'tokens', request.token_id);
          refuseStale('token', record.revision, request.revision);
          if (record.revoked_at !== null) return tokenItemOf(record, call.atMs, call.services.tokenMaxDays);
          return change(call, writer, 'remove', record, { revoked_at: call.atMs });
        });
      },
    }),
  };
}

async function rotate(call: Call, request: z.output<typeof rotateTokenRequest>): Promise<MintedTokenItem> {
  return call.services.store.write(async (writer) => {
    const { record } = await findLocked(call, writer, 'tokens', request.token_id);
    // The response grants these scopes.
    refuseScopesOf(call, record);
    refuseOfOthers(call, record);
    if (!isUsable(record, call.atMs)) {
      throw conflict('/token_id', 'token_ended', 'has ended: create a token instead.');
    }
    const endMs = call.atMs + (request.overlap_seconds ?? DAY_SECONDS) * 1000;
    await change(call, writer, 'update', record, { expires_at: Math.min(record.expires_at ?? endMs, endMs) });
    const { organization_id, team_id, user_id, scopes, name, networks } = record;
    const again = record.expires_at === null ? null : call.atMs + record.expires_at - record.created_at;
    return mint(call, writer, 'rotate', {
      organization_id,
      team_id,
      user_id,
      scopes,
      name,
      networks,
      rotated_from: record.token_id,
      expires_at: withinPolicy(
        call,
        request.expires_at === undefined ? asAllowed(call, again) : futureOf(call, request.expires_at),
      ),
    });
  });
}

/** Refuses scopes that the actor may not grant, and invalid combinations. */
function refuseScopes({ authority }: Call, granted: readonly Scope[], teamId: string | null): void {
  const lacking = granted.filter((scope) => !authority.grants.has(scope));
  if (lacking.length > 0) {
    const names = lacking.map((scope) => `\`${scope}\``).join(' and ');
    const message =
      lacking.includes('approve') && authority.mayApprove
        ? 'Only an operator makes or changes another token with the scope `approve`.'
        : `This token lacks the scope${lacking.length > 1 ? 's' : ''} ${names}.`;
    throw new AdministrationError('forbidden', [{ path: '/scopes', code: 'scope_missing', message }]);
  }
  if (teamId !== null && granted.some((scope) => scope === 'admin' || scope === 'approve' || scope === 'operator')) {
    throw invalid('/scopes', 'scope_not_for_teams', 'must not contain admin, approve or operator for a team.');
  }
  if (granted.includes('operator') && granted.some((scope) => !ofOperators.has(scope))) {
    const message =
      'must have only underwrite, distance and rules in addition to operator: others need an organization.';
    throw invalid('/scopes', 'scope_not_for_operators', message);
  }
  if (granted.includes('approve') && !granted.includes('admin')) {
    throw invalid('/scopes', 'approve_needs_admin', 'must contain admin if it contains approve.');
  }
}

/** A token that approves may replace itself. */
function refuseScopesOf(call: Call, { token_id, scopes, team_id }: TokenRecord): void {
  const isOwn = token_id === call.authority.actorId;
  refuseScopes(call, isOwn ? scopes.filter((scope) => scope !== 'approve') : scopes, team_id);
}

/** A token stands for its person, so only that person may learn a secret of it or make it last longer. */
function refuseOfOthers({ authority }: Call, record: TokenRecord): void {
  if (record.user_id !== null && record.user_id !== authority.userId) {
    const message = 'belongs to a person, who alone may change it; others can only revoke it.';
    throw new AdministrationError('forbidden', [{ path: '/token_id', code: 'token_of_person', message }]);
  }
  if (record.session_ends_at === null) return;
  throw conflict('/token_id', 'token_of_session', 'belongs to a sign-in: sign in again, or create a token instead.');
}

function refuseRevoked(record: TokenRecord): void {
  if (record.revoked_at !== null) throw conflict('/token_id', 'token_revoked', 'is revoked: create a token instead.');
}

function futureOf(call: Call, expiresAt: string | null | undefined): number | null {
  if (expiresAt === null || expiresAt === undefined) return null;
  const ms = Date.parse(expiresAt);
  if (ms <= call.atMs) throw invalid('/expires_at', 'in_the_past', `must be later than now; this is ${expiresAt}.`);
  return ms;
}

/**
 * The end of a new token: the policy's latest, unless an earlier one is requested.
 *
 * @throws {AdministrationError} for a later one.
 */
function withinPolicy({ services: { tokenMaxDays }, atMs }: Call, endMs: number | null): number | null {
  if (tokenMaxDays === undefined) return endMs;
  const latestMs = latestEnd(atMs, tokenMaxDays);
  if (endMs !== null && endMs > latestMs) throw tooLate(tokenMaxDays, latestMs);
  return endMs ?? latestMs;
}

/** A lifetime that began before the policy is shortened, not refused. */
function asAllowed({ services: { tokenMaxDays }, atMs }: Call, endMs: number | null): number | null {
  return tokenMaxDays === undefined || endMs === null ? endMs : Math.min(endMs, latestEnd(atMs, tokenMaxDays));
}

/** Only rotation prolongs a token beyond the policy; an older token may get an earlier end than it has. */
function changedWithinPolicy(call: Call, endMs: number | null, record: TokenRecord): number | null {
  const { tokenMaxDays } = call.services;
  if (tokenMaxDays === undefined) return endMs;
  const latestMs = latestEnd(record.created_at, tokenMaxDays);
  const newEndMs = endMs ?? latestMs;
  if (newEndMs > call.atMs && newEndMs <= latestMs) return newEndMs;
  const isShorter = newEndMs > call.atMs && newEndMs < (record.expires_at ?? Number.POSITIVE_INFINITY);
  if (isShorter && newEndMs <= latestEnd(call.atMs, tokenMaxDays)) return newEndMs;
  throw tooLate(tokenMaxDays, latestMs, ' Rotate the token (tokens/rotate) to go on longer.');
}

function tooLate(maxDays: number, latestMs: number, wayOut = ''): AdministrationError {
  const message = `must be at most ${maxDays} days after the token was created, by the policy of this instance: ${formatInstant(latestMs)} or earlier.${wayOut}`;
  return invalid('/expires_at', 'exceeds_policy', message);
}

type Wanted = Pick<
  TokenRecord,
  'organization_id' | 'team_id' | 'user_id' | 'scopes' | 'name' | 'rotated_from' | 'expires_at'
> &
  Partial<Pick<TokenRecord, 'session_ends_at' | 'networks'>>;

export async function mint(
  call: AuditedCall,
  writer: StoreWriter,
  verb: string,
  fields: Wanted,
): Promise<MintedTokenItem> {
  const { services, atMs } = call;
  if (fields.organization_id !== null) await removeEndedTokens(call, writer, fields.organization_id);
  const tokenId = services.newId();
  const text = writeToken(services.environment, tokenId, services.randomBytes(SECRET_BYTES));
  const record: TokenRecord = {
    token_id: tokenId,
    session_ends_at: null,
    networks: null,
    ...fields,
    environment: services.environment,
    secret_hash: hashToken(text).toString('hex'),
    revoked_at: null,
    last_used_at: null,
    revision: 1,
    created_at: atMs,
    updated_at: atMs,
  };
  await writer.insert('tokens', record);
  await audit(call, writer, verb, undefined, record);
  const { token_id, ...item } = tokenItemOf(record, atMs, services.tokenMaxDays);
  return { token_id, token: text, ...item };
}

export async function change(
  call: AuditedCall,
  writer: StoreWriter,
  verb: string,
  record: TokenRecord,
  fields: Partial<TokenRecord>,
): Promise<TokenItem> {
  const after = { ...record, ...fields, revision: record.revision + 1, updated_at: call.atMs };
  await writer.replace('tokens', after);
  await audit(call, writer, verb, record, after);
  return tokenItemOf(after, call.atMs, call.services.tokenMaxDays);
}

async function audit(
  call: AuditedCall,
  writer: StoreWriter,
  verb: string,
  before: TokenRecord | undefined,
  after: TokenRecord,
): Promise<void> {
  await writeAudit(writer, call, {
    organizationId: after.organization_id,
    action: `tokens.${verb}`,
    subjectId: after.token_id,
    changes: changesBetween(before && auditedToken(before), auditedToken(after)),
    before,
    after,
  });
}

/** At the limit, removes ended tokens, oldest first. */
async function removeEndedTokens(call: AuditedCall, writer: StoreWriter, organizationId: string): Promise<void> {
  const { limits } = call.services;
  const where = { organization_id: organizationId };
  let count = await writer.count('tokens', where);
  if (count < limits.tokens) return;
  const ended = (await writer.list('tokens', { where }))
    .filter((token) => !isUsable(token, call.atMs))
    .sort((a, b) => endOf(a) - endOf(b));
  for (const { token_id } of ended) {
    if (count < limits.tokens) return;
    await writer.remove('tokens', token_id);
    count--;
  }
  if (count < limits.tokens) return;
  const message = `An organization has at most ${limits.tokens} tokens that can be used: remove some first (tokens/remove), or let several callers share one.`;
  throw invalid('', 'limit_reached', message);
}

function endOf({ revoked_at, expires_at }: TokenRecord): number {
  return Math.min(revoked_at ?? Number.POSITIVE_INFINITY, expires_at ?? Number.POSITIVE_INFINITY);
}
