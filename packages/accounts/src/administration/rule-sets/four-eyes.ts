import type { StoreReader } from '../../store/account-store.ts';
import type { Authority } from '../authority.ts';

/** Rotations followed at most. */
const MAX_ROTATIONS = 100;

/**
 * Whether two are one person, as far as tokens tell: the same token, one that replaced it, or one that was made with it. Whoever
 * may make tokens could otherwise approve with a second one of his own.
 */
export async function isSamePerson(reader: StoreReader, proposer: string, approver: Authority): Promise<boolean> {
  if (proposer === approver.actorId) return true;
  if (approver.actorType === 'system') return false;
  const [first, second] = [await firstToken(reader, proposer), await firstToken(reader, approver.actorId)];
  if (first === second) return true;
  const [makerOfFirst, makerOfSecond] = [await makerOf(reader, first), await makerOf(reader, second)];
  return makerOfFirst === second || makerOfSecond === first;
}

/** The token that a line of rotations began with. */
async function firstToken(reader: StoreReader, tokenId: string): Promise<string> {
  let id = tokenId;
  for (let rotations = 0; rotations < MAX_ROTATIONS; rotations++) {
    const from = (await reader.get('tokens', id))?.rotated_from;
    if (from === undefined || from === null) return id;
    id = from;
  }
  return id;
}

/** The first token of whoever made a token. */
async function makerOf(reader: StoreReader, tokenId: string): Promise<string | undefined> {
  const where = { action: 'tokens.create', subject_id: tokenId };
  const [made] = await reader.list('audit', { where, limit: 1 });
  return made?.actor_type === 'token' ? firstToken(reader, made.actor_id) : undefined;
}
