import { type AuditRecord, type Authority, OPERATOR_TOKEN_ID, type StoreReader } from '@leeward/accounts/operations';

/** Maximum number of tokens followed from an actor to its origins. Beyond it, two actors count as one person. */
const MAX_TOKENS_FOLLOWED = 10_000;

interface Origin {
  /** Tokens of people who may know its secret. */
  readonly people: ReadonlySet<string>;
  /** Operators who made or rotated one of these. */
  readonly operators: ReadonlySet<string>;
}

/**
 * True if proposer and approver may be one person. Follows makers and rotations, in the audit log, to a token of the command line or an
 * operator: an operator makes tokens for other persons, anyone else only for himself. An operator knows the secrets of its tokens, so it
 * also counts as the person of each.
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
