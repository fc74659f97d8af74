import { CommandError } from '../command-error.ts';
import type { Terminal } from '../terminal.ts';
import { callService } from './call-service.ts';
import { type StoredSignIn, storedSignIns } from './stored-sign-ins.ts';

/** A renewal for each command would cost a call each time. */
const RENEW_BELOW_MS = 50 * 60_000;

/**
 * The token of the person who is signed in at a service; undefined without a sign-in. Renews it first if necessary.
 *
 * @param place The token to prefer: of the whole organization, or of the person's first team.
 * @throws {CommandError} if the sign-in has ended.
 */
export async function tokenOfSignIn(
  url: string,
  place: 'organization' | 'team',
  terminal: Terminal,
): Promise<string | undefined> {
  const service = url.replace(/\/+$/, '');
  const stored = storedSignIns(terminal).get(service);
  if (stored === undefined) return undefined;
  const { tokens } = await renewed(service, stored, terminal);
  const isTeam = place === 'team';
  return (tokens.find(({ team_id }) => (team_id !== null) === isTeam) ?? tokens[0])?.token;
}

async function renewed(url: string, stored: StoredSignIn, terminal: Terminal): Promise<StoredSignIn> {
  const nowMs = terminal.now().getTime();
  const leftMs = Date.parse(stored.expires_at) - nowMs;
  if (leftMs <= 0) throw ended(url);
  if (leftMs > RENEW_BELOW_MS || stored.expires_at >= stored.ends_at) return stored;
  const answers = await Promise.all(stored.tokens.map(({ token }) => callService(url, '/v1/sign-in/renew', {}, token)));
  if (answers.some(({ status }) => status === 401 || status === 404)) throw ended(url);
  const ends = answers.flatMap(({ status, body }) =>
    status === 200 ? [(body as { expires_at: string }).expires_at] : [],
  );
  // The tokens are still valid if a busy service does not renew them.
  if (ends.length < answers.length) return stored;
  const next = { ...stored, expires_at: ends.toSorted()[0]! };
  storedSignIns(terminal).set(url, next);
  return next;
}

const ended = (url: string) => new CommandError(`Your sign-in at ${url} has ended. Run leeward login --url ${url}`);
