import {
  type AuditRecord,
  type Authority,
  OPERATOR_TOKEN_ID,
  type StoreReader,
  type UserRecord,
} from '@leeward/accounts/operations';
import type { Fault } from '@leeward/terms';

/** Maximum number of tokens followed from an actor to its origins. Beyond it, two actors count as one person. */
const MAX_TOKENS_FOLLOWED = 10_000;

interface Origin {
  /** Tokens of people who may know its secret. */
  readonly people: ReadonlySet<string>;
  /** Operators who made or rotated one of these. */
  readonly operators: ReadonlySet<string>;
}

/**
 * `people`: two users who signed in. `tokens`: two tokens, which one person may hold, because at least one has no user. `removed`: the
 * proposer's user was removed and cannot be compared. `same`: proposer and approver are, or may be, one person.
 */
export type FourEyes = 'people' | 'tokens' | 'removed' | 'same';

/** Compares proposer and approver: by users if both tokens have one, otherwise by the origin of the tokens. */
export async function compareSigners(reader: StoreReader, proposer: string, approver: Authority): Promise<FourEyes> {
  if (proposer === approver.actorId) return 'same';
  if (approver.actorType === 'system') return 'tokens';
  const userId = await userOf(reader, proposer);
  if (userId === null || approver.userId === null) {
    return (await isSamePerson(reader, proposer, approver)) ? 'same' : 'tokens';
  }
  if (userId === approver.userId) return 'same';
  const [first, second] = [await reader.get('users', userId), await reader.get('users', approver.userId)];
  if (first === undefined || second === undefined) return 'removed';
  return isSameIdentity(first, second) ? 'same' : 'people';
}

/** One person can be a user of several organizations, and an operator. */
function isSameIdentity(first: UserRecord, second: UserRecord): boolean {
  const isOneSubject = first.subject !== null && first.subject === second.subject && first.issuer === second.issuer;
  return isOneSubject || (first.email_key !== null && first.email_key === second.email_key);
}

/** From the audit log, which outlasts the token. null: a token without a user, or from before users existed. */
async function userOf(reader: StoreReader, tokenId: string): Promise<string | null> {
  const userId = (await makingOf(reader, tokenId))?.changes['user_id']?.after;
  return typeof userId === 'string' ? userId : null;
}

/** The stored proof of an approval. */
export function proofOf(signers: FourEyes | undefined): 'people' | 'tokens' | null {
  return signers === 'people' || signers === 'tokens' ? signers : null;
}

/** The fault of a refusal at a field of the request; undefined if two persons or tokens signed. */
export function faultOf(signers: FourEyes, path: string): Fault | undefined {
  if (signers === 'same') {
    const message = 'is proposed by the same token, or by one of the same person: somebody else must approve it.';
    return { path, code: 'own_approval', message };
  }
  if (signers !== 'removed') return undefined;
  const message = 'is proposed by a person who was removed since: somebody must propose it again.';
  return { path, code: 'proposer_removed', message };
}

/**
 * True if proposer and approver may be one person. Follows makers and rotations, in the audit log, to a token of the command line or an
 * operator: an operator makes tokens for other persons, anyone else only for himself. An operator knows the secrets of its tokens, so it
 * also counts as the person of each.
 */
async function isSamePerson(reader: StoreReader, proposer: string, approver: Authority): Promise<boolean> {
  const [first, second] = [await originOf(reader, proposer), await originOf(reader, approver.actorId)];
  if (first === undefined || second === undefined) return true;
  return (
    meets(first.people, second.people) || meets(first.people, second.operators) || meets(first.operators, second.people)
  );
}

/** undefined beyond the maximum. */
async function originOf(reader: StoreReader, actorId: string): Promise<Origin | undefined> {
  const people = new Set<string>();
  const operators = new Set<string>();
  const followed = new Set([actorId]);
  for (const id of followed) {
    if (followed.size > MAX_TOKENS_FOLLOWED) return undefined;
    const creation = await makingOf(reader, id);
    const replaced = replacedBy(creation);
    if (replaced !== undefined) followed.add(replaced);
    if (creation?.actor_type === 'token') {
      const maker = await firstOperatorToken(reader, creation.actor_id);
      if (maker === undefined) {
        followed.add(creation.actor_id);
        continue;
      }
      operators.add(maker);
    }
    people.add(id);
  }
  return { people, operators };
}

/** First of a chain of rotations; undefined for a token of an organization. */
async function firstOperatorToken(reader: StoreReader, tokenId: string): Promise<string | undefined> {
  let id = tokenId;
  for (let count = 0; count < MAX_TOKENS_FOLLOWED; count++) {
    if (id === OPERATOR_TOKEN_ID) return id;
    const creation = await makingOf(reader, id);
    if (creation?.organization_id !== null) return undefined;
    const replaced = replacedBy(creation);
    if (replaced === undefined) return id;
    id = replaced;
  }
  return undefined;
}

async function makingOf(reader: StoreReader, tokenId: string): Promise<AuditRecord | undefined> {
  for (const action of ['tokens.create', 'tokens.rotate']) {
    const [creation] = await reader.list('audit', { where: { action, subject_id: tokenId }, limit: 1 });
    if (creation !== undefined) return creation;
  }
  return undefined;
}

function replacedBy(creation: AuditRecord | undefined): string | undefined {
  const replaced = creation?.changes['rotated_from']?.after;
  return typeof replaced === 'string' ? replaced : undefined;
}

function meets(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...some].some((id) => others.has(id));
}
