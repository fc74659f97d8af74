import { type AuditRecord, type Authority, OPERATOR_TOKEN_ID, type StoreReader } from '@leeward/accounts/operations';

/** Maximum number of tokens followed from one actor to its origins. Beyond it, two actors count as one person. */
const MAX_TOKENS_FOLLOWED = 10_000;

/** The origin of a token. */
interface Origin {
  /** Tokens of the people who may know its secret, back to those that the command line or an operator made. */
  readonly people: ReadonlySet<string>;
  /** The operators who made or rotated one of these. */
  readonly operators: ReadonlySet<string>;
}

/**
 * True if proposer and approver may be one person. Makers and rotations are followed to a token that the command line or an
 * operator made: an operator hands each token that it makes to another person, anyone else only ever makes tokens for himself.
 * An operator knows the secrets of the tokens it made, so it is also the same person as each of them. The audit log holds all of
 * this after a token is revoked or removed.
 */
export async function isSamePerson(reader: StoreReader, proposer: string, approver: Authority): Promise<boolean> {
  if (proposer === approver.actorId) return true;
  if (approver.actorType === 'system') return false;
  const [first, second] = [await originOf(reader, proposer), await originOf(reader, approver.actorId)];
  if (first === undefined || second === undefined) return true;
  return (
    meets(first.people, second.people) || meets(first.people, second.operators) || meets(first.operators, second.people)
  );
}

/** Undefined: there are more tokens than are followed. */
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

/** The operator's token that a line of rotations began with; undefined for a token of an organization. */
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

/** The entry of the audit log that a token begins with. */
async function makingOf(reader: StoreReader, tokenId: string): Promise<AuditRecord | undefined> {
  for (const action of ['tokens.create', 'tokens.rotate']) {
    const [creation] = await reader.list('audit', { where: { action, subject_id: tokenId }, limit: 1 });
    if (creation !== undefined) return creation;
  }
  return undefined;
}

/** The token that one replaced by rotation. */
function replacedBy(creation: AuditRecord | undefined): string | undefined {
  const replaced = creation?.changes['rotated_from']?.after;
  return typeof replaced === 'string' ? replaced : undefined;
}

function meets(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...some].some((id) => others.has(id));
}
