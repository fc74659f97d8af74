import { AdministrationError, conflict, notFound } from '../administration-error.ts';
import type { Caller } from '../directory.ts';
import type { StoreReader, StoreWriter } from '../store/account-store.ts';
import type { UserRecord } from '../store/records.ts';
import { isUsable } from '../token/is-usable.ts';
import { emailKey } from '../vocabulary/email.ts';
import { scopesOfRoles } from '../vocabulary/roles.ts';
import type { AuditedCall } from './audit-log.ts';
import type { Services } from './operation.ts';
import type { MintedTokenItem } from './resources/token-item.ts';
import { change, mint } from './resources/tokens.ts';
import { auditUser } from './resources/users.ts';

/** Identity of a person, verified by the identity provider. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** Only an address that the provider has verified. It matches an invitation at the first sign-in. */
  readonly verifiedEmail?: string | undefined;
  /** Display name, kept at the first sign-in of a person without a name. */
  readonly name?: string | undefined;
}

/** Tokens of a person who has signed in: first that of the organization, then those of teams, as the roles allow. */
export interface OpenedSession {
  readonly userId: string;
  readonly name: string | null;
  readonly email: string | null;
  /** null: a person who operates the instance. */
  readonly organizationId: string | null;
  readonly tokens: readonly MintedTokenItem[];
  /** No token can be renewed beyond it. Epoch milliseconds. */
  readonly endsAtMs: number;
}

/** Duration of sign-ins, in milliseconds. */
export interface SessionLimits {
  /** Validity of a token, from sign-in or renewal. @default 3_600_000 */
  readonly tokenMs: number;
  /** Maximum time from sign-in. @default 43_200_000 */
  readonly sessionMs: number;
}

/** The request behind a sign-in, for the audit log. */
export interface SignInContext {
  readonly requestId?: string | undefined;
  /** Network of the client. If omitted, unknown. */
  readonly network?: string | undefined;
}

/** Sign-in of people whom an identity provider has identified. */
export interface SignIn {
  /**
   * Creates tokens of the person.
   *
   * @param organizationId Needed if the person is a user of several.
   * @throws {AdministrationError} `forbidden` for strangers, disabled people and people without a role; `conflict` with one fault per
   * organization to choose from.
   */
  open(
    identity: Identity,
    options?: SignInContext & { readonly organizationId?: string | undefined },
  ): Promise<OpenedSession>;
  /**
   * Extends the token of a session; returns the new end in epoch milliseconds. Not audited: a page renews every token each hour, within the
   * limits of the sign-in, whose entries are in the audit log.
   *
   * @throws {AdministrationError} `conflict` for other tokens.
   */
  renew(caller: Caller): Promise<number>;
  /** Revokes the tokens of the caller's session. @throws {AdministrationError} `conflict` for other tokens. */
  end(caller: Caller, context?: SignInContext): Promise<void>;
}

const HOUR_MS = 3_600_000;
/** Place of operators among the organizations of a person. */
const INSTANCE = 'instance';

export function createSignIn(services: Services, limits: Partial<SessionLimits> = {}): SignIn {
  const { store, now } = services;
  const { tokenMs = HOUR_MS, sessionMs = 12 * HOUR_MS } = limits;
  const callOf = (userId: string, { requestId, network }: SignInContext): AuditedCall => ({
    services,
    atMs: now(),
    requestId: requestId ?? null,
    network: network ?? null,
    authority: {
      actorType: 'system',
      actorId: 'sign-in',
      userId,
      organizationId: undefined,
      grants: new Set(),
      mayApprove: false,
    },
  });

  return {
    open: (identity, { organizationId, ...context } = {}) =>
      store.write(async (writer) => {
        const { organization_id } = await findUser(writer, identity, organizationId);
        if (organization_id !== null) await writer.lock('organizations', organization_id);
        // Another change may have preceded the lock.
        const current = await findUser(writer, identity, organization_id ?? INSTANCE);
        const { user_id: userId } = current;
        if (current.status !== 'active') {
          throw refused('user_disabled', 'You are disabled here. Ask an administrator of your organization.');
        }
        const call = callOf(userId, context);
        let { name } = current;
        if (current.subject === null) {
          const { issuer, subject } = identity;
          name ??= identity.name ?? null;
          const linked = { ...current, name, issuer, subject, revision: current.revision + 1, updated_at: call.atMs };
          await writer.replace('users', linked);
          await auditUser(writer, call, 'link', current, linked);
        }
        const endsAtMs = call.atMs + sessionMs;
        const teamIds = [...new Set(current.roles.map(({ team_id }) => team_id))].sort((a, b) =>
          (a ?? '') < (b ?? '') ? -1 : 1,
        );
        const tokens: MintedTokenItem[] = [];
        for (const team_id of teamIds) {
          // A team may have been removed since.
          if (team_id !== null && (await writer.get('teams', team_id)) === undefined) continue;
          const scopes = [
            ...scopesOfRoles(
              current.roles.filter((role) => role.team_id === team_id),
              team_id,
            ),
          ];
          const place = { organization_id, team_id, user_id: userId, scopes, name: null, rotated_from: null };
          const expires_at = Math.min(call.atMs + tokenMs, endsAtMs);
          tokens.push(await mint(call, writer, 'create', { ...place, expires_at, session_ends_at: endsAtMs }));
        }
        if (tokens.length === 0)
          throw refused('no_role', 'You have no role here. Ask an administrator of your organization.');
        return { userId, name, email: current.email, organizationId: organization_id, tokens, endsAtMs };
      }),
    renew: (caller) =>
      store.write(async (writer) => {
        const token = await sessionOf(writer, caller);
        const atMs = now();
        if (!isUsable(token, atMs)) throw notFound();
        const expires_at = Math.max(token.expires_at ?? 0, Math.min(atMs + tokenMs, token.session_ends_at));
        await writer.replace('tokens', { ...token, expires_at, updated_at: atMs });
        return expires_at;
      }),
    end: (caller, context = {}) =>
      store.write(async (writer) => {
        const { user_id, session_ends_at } = await sessionOf(writer, caller);
        const call = callOf(user_id!, context);
        // The tokens of one sign-in end together.
        for (const token of await writer.list('tokens', { where: { user_id, session_ends_at } })) {
          if (token.revoked_at === null) await change(call, writer, 'remove', token, { revoked_at: call.atMs });
        }
      }),
  };
}

async function findUser(
  reader: StoreReader,
  identity: Identity,
  organizationId: string | undefined,
): Promise<UserRecord> {
  const { issuer, subject, verifiedEmail } = identity;
  const linkedUsers = await reader.list('users', { where: { issuer, subject } });
  const invited =
    verifiedEmail === undefined
      ? []
      : await reader.list('users', { where: { email_key: emailKey(verifiedEmail), subject: null } });
  const linkedTo = new Set(linkedUsers.map(({ organization_id }) => organization_id));
  // A person who has signed in to an organization is not invited again.
  const all = [...linkedUsers, ...invited.filter(({ organization_id }) => !linkedTo.has(organization_id))];
  const users =
    organizationId === undefined ? all : all.filter((user) => (user.organization_id ?? INSTANCE) === organizationId);
  const [user] = users;
  if (user === undefined) throw stranger(identity);
  if (users.length === 1) return user;
  const faults = await Promise.all(
    users.map(async ({ organization_id }) => {
      const name = organization_id === null ? 'Operators' : (await reader.get('organizations', organization_id))?.name;
      return {
        path: `/organization_id/${organization_id ?? INSTANCE}`,
        code: 'organization_choice',
        message: name ?? '',
      };
    }),
  );
  throw new AdministrationError('conflict', faults);
}

function stranger({ issuer, subject }: Identity): AdministrationError {
  const message = `You are not a user here yet. Ask an administrator to add you: issuer ${issuer}, subject ${subject}.`;
  return refused('unknown_user', message);
}

function refused(code: string, message: string): AdministrationError {
  return new AdministrationError('forbidden', [{ path: '', code, message }]);
}

async function sessionOf(writer: StoreWriter, { tokenId }: Caller) {
  const organizationId = (await writer.get('tokens', tokenId))?.organization_id ?? null;
  if (organizationId !== null) await writer.lock('organizations', organizationId);
  const token = await writer.lock('tokens', tokenId);
  if (token === undefined) throw notFound();
  const { session_ends_at } = token;
  if (session_ends_at === null)
    throw conflict('', 'not_a_session', 'This token is not from a sign-in: it is neither renewed nor signed out.');
  return { ...token, session_ends_at };
}
