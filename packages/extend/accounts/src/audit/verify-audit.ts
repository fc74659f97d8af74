import { firstIdentifierAt } from '../identifier.ts';
import { hashEntry } from './audit-chain.ts';
import type { AuditHead, AuditItem } from './audit-entry.ts';
import { type ChainHashes, createChainHashes } from './chain-hashes.ts';

/** A changed, missing or misplaced entry. */
export interface AuditFault {
  /** null: the instance. */
  readonly organizationId: string | null;
  readonly sequence: number;
  readonly code:
    | 'altered'
    | 'unlinked'
    | 'missing'
    | 'out_of_order'
    | 'repeated_differs'
    | 'tail_missing'
    | 'head_differs'
    | 'head_missing';
  /** A sentence. */
  readonly message: string;
  /** Line of the entry, as given to `add`. */
  readonly place?: string | undefined;
}

/** The verified entries of a chain. */
export interface AuditRange {
  /** null: the instance. */
  readonly organizationId: string | null;
  readonly first: Pick<AuditItem, 'sequence' | 'at'>;
  readonly last: Pick<AuditItem, 'sequence' | 'at' | 'audit_id' | 'hash'>;
  /**
   * Number of entries that are older than the hash chain: they have neither a network nor hashes of records. Their own hashes are those of
   * the upgrade, and prove nothing about the time before it.
   */
  readonly unchained: number;
}

/** Result of a verification. */
export interface AuditReport {
  readonly entries: number;
  readonly chains: number;
  /** Entries that a stream sent again. */
  readonly repeated: number;
  readonly ranges: readonly AuditRange[];
  /** The first ones, and their number. */
  readonly faults: readonly AuditFault[];
  readonly faultCount: number;
}

/** Options of `verifyAudit`. */
export interface VerifyAuditOptions {
  /** Ends of the chains, read before the entries. Later entries are not part of the result. null: unknown, as in the file of a stream. */
  readonly heads: Iterable<AuditHead> | null;
  /** Beginning of the entries, as ISO 8601: chains may then begin later than with their first entry. If omitted, with the first. */
  readonly since?: string | null | undefined;
}

/** Verifies entries one by one. */
export interface AuditVerifier {
  /** `place` names the line of the entry in faults. */
  add(entry: AuditItem, place?: string): void;
  report(): AuditReport;
}

const MAX_FAULTS = 100;

interface Chain {
  readonly head: AuditHead | undefined;
  sequence: number;
  hash: string | null | undefined;
  first: AuditItem | undefined;
  last: AuditItem | undefined;
  unchained: number;
  readonly hashes: ChainHashes;
}

/**
 * Verifies the hash chains of the audit log. Entries of a chain are in order; chains may be mixed. Depends on no store.
 *
 * @example
 * const { faults } = await verifyAudit(items, { heads });
 */
export async function verifyAudit(
  entries: AsyncIterable<AuditItem> | Iterable<AuditItem>,
  options: VerifyAuditOptions,
): Promise<AuditReport> {
  const verifier = createAuditVerifier(options);
  for await (const entry of entries) verifier.add(entry);
  return verifier.report();
}

/**
 * Like `verifyAudit`, for a caller that reads the entries. Without `heads` the entries are those of a stream: a chain may begin with any
 * entry, and an entry may be repeated if it is equal. That needs 16 bytes of memory per entry.
 *
 * @example
 * const verifier = createAuditVerifier({ heads: null });
 */
export function createAuditVerifier({ heads, since }: VerifyAuditOptions): AuditVerifier {
  const from = typeof since === 'string' ? firstIdentifierAt(Date.parse(since)) : undefined;
  const isStream = heads === null;
  const chains = new Map<string | null, Chain>();
  const faults: AuditFault[] = [];
  let [faultCount, count, repeated] = [0, 0, 0];
  let place: string | undefined;
  const open = (organizationId: string | null, head: AuditHead | undefined): Chain => {
    const isPartial = from !== undefined || isStream;
    const chain: Chain = {
      head,
      ...(isPartial ? { sequence: -1, hash: undefined } : { sequence: 0, hash: null }),
      ...{ first: undefined, last: undefined, unchained: 0, hashes: createChainHashes() },
    };
    chains.set(organizationId, chain);
    return chain;
  };
  const report = (organizationId: string | null, sequence: number, code: AuditFault['code'], message: string) => {
    faultCount++;
    if (faults.length < MAX_FAULTS)
      faults.push({ organizationId, sequence, code, message, ...(place !== undefined && { place }) });
  };
  for (const head of heads ?? []) open(head.organization_id, head);

  return {
    add(entry, line) {
      place = line;
      const { organization_id: owner, sequence } = entry;
      const chain = chains.get(owner) ?? open(owner, undefined);
      if (chain.head !== undefined && sequence > chain.head.sequence) return;
      const name = `Entry ${sequence} (${entry.audit_id}, ${entry.action})`;
      const isAltered = hashEntry(entry) !== entry.hash;
      if (isAltered) report(owner, sequence, 'altered', `${name} was changed: its hash differs.`);
      const expected = chain.sequence + 1;
      if (chain.sequence >= 0 && sequence < expected) {
        const isEqual = isStream ? chain.hashes.isAt(sequence, entry.hash) : undefined;
        if (isEqual === true) {
          if (!isAltered) repeated++;
        } else if (isEqual === false) {
          report(owner, sequence, 'repeated_differs', `${name} differs from the earlier entry ${sequence}.`);
        } else {
          count++;
          report(owner, sequence, 'out_of_order', `${name} comes after entry ${chain.sequence}.`);
        }
        return;
      }
      count++;
      if (chain.sequence >= 0 && sequence > expected) {
        const range = sequence === expected + 1 ? `Entry ${expected} is` : `Entries ${expected} to ${sequence - 1} are`;
        report(owner, expected, 'missing', `${range} missing before ${entry.audit_id}.`);
      } else if (chain.hash !== undefined && entry.previous_hash !== chain.hash) {
        report(owner, sequence, 'unlinked', `${name} does not follow entry ${sequence - 1}: one of them was replaced.`);
      }
      const { head } = chain;
      if (head?.sequence === sequence && (entry.hash !== head.hash || entry.audit_id !== head.audit_id)) {
        report(owner, sequence, 'head_differs', `${name} is not the entry that the end of the chain names.`);
      }
      chain.sequence = sequence;
      chain.hash = entry.hash;
      chain.first ??= entry;
      chain.last = entry;
      if (chain.unchained === sequence - 1 && isUnchained(entry)) chain.unchained++;
      if (isStream) chain.hashes.append(sequence, entry.hash);
    },

    report() {
      place = undefined;
      if (!isStream) {
        for (const [owner, { head, sequence }] of chains) {
          if (head === undefined) {
            const message = `The end of the chain is missing: entries after ${sequence} may be too.`;
            report(owner, sequence, 'head_missing', message);
          } else if (sequence < head.sequence && (from === undefined || head.audit_id >= from)) {
            const first = Math.max(sequence, 0) + 1;
            const isOne = sequence >= 0 && first === head.sequence;
            const range = isOne ? `Entry ${first} is` : `Entries up to ${head.sequence} are`;
            report(owner, first, 'tail_missing', `${range} missing at the end.`);
          }
        }
      }
      return { entries: count, chains: chains.size, repeated, ranges: rangesOf(chains), faults, faultCount };
    },
  };
}

/** The upgrade to the hash chain left these fields empty. */
function isUnchained(entry: AuditItem): boolean {
  return (
    entry.network === null && entry.before_hash === null && entry.after_hash === null && entry.actor.user_id === null
  );
}

function rangesOf(chains: ReadonlyMap<string | null, Chain>): AuditRange[] {
  return [...chains].flatMap(([organizationId, { first, last, unchained }]) => {
    if (first === undefined || last === undefined) return [];
    const { sequence, at, audit_id, hash } = last;
    return [
      {
        organizationId,
        first: { sequence: first.sequence, at: first.at },
        last: { sequence, at, audit_id, hash },
        unchained,
      },
    ];
  });
}
