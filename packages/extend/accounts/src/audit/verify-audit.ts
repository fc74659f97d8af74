import { firstIdentifierAt } from '../identifier.ts';
import { hashEntry } from './audit-chain.ts';
import type { AuditHead, AuditItem } from './audit-entry.ts';

/** A changed, missing or misplaced entry. */
export interface AuditFault {
  /** null: the instance. */
  readonly organizationId: string | null;
  readonly sequence: number;
  readonly code: 'altered' | 'unlinked' | 'missing' | 'out_of_order' | 'tail_missing' | 'head_differs' | 'head_missing';
  /** A sentence. */
  readonly message: string;
}

/** Result of a verification. */
export interface AuditReport {
  readonly entries: number;
  readonly chains: number;
  /** The first ones, and their number. */
  readonly faults: readonly AuditFault[];
  readonly faultCount: number;
}

/** Options of `verifyAudit`. */
export interface VerifyAuditOptions {
  /** Ends of the chains, read before the entries. Later entries are not part of the result. */
  readonly heads: Iterable<AuditHead>;
  /** Beginning of the entries, as ISO 8601: chains may then begin later than with their first entry. If omitted, with the first. */
  readonly since?: string | null | undefined;
}

const MAX_FAULTS = 100;

interface Chain {
  readonly head: AuditHead | undefined;
  sequence: number;
  hash: string | null | undefined;
}

/**
 * Verifies the hash chains of the audit log. Entries of a chain are in order; chains may be mixed. Depends on no store.
 *
 * @example
 * const { faults } = await verifyAudit(items, { heads });
 */
export async function verifyAudit(
  entries: AsyncIterable<AuditItem> | Iterable<AuditItem>,
  { heads, since }: VerifyAuditOptions,
): Promise<AuditReport> {
  const from = typeof since === 'string' ? firstIdentifierAt(Date.parse(since)) : undefined;
  const chains = new Map<string | null, Chain>();
  const faults: AuditFault[] = [];
  let faultCount = 0;
  let count = 0;
  const open = (organizationId: string | null, head: AuditHead | undefined): Chain => {
    const isPartial = from !== undefined;
    const chain = { head, sequence: isPartial ? -1 : 0, hash: isPartial ? undefined : null };
    chains.set(organizationId, chain);
    return chain;
  };
  const report = (organizationId: string | null, sequence: number, code: AuditFault['code'], message: string) => {
    faultCount++;
    if (faults.length < MAX_FAULTS) faults.push({ organizationId, sequence, code, message });
  };
  for (const head of heads) open(head.organization_id, head);

  for await (const entry of entries) {
    const { organization_id: owner, sequence } = entry;
    const chain = chains.get(owner) ?? open(owner, undefined);
    if (chain.head !== undefined && sequence > chain.head.sequence) continue;
    count++;
    const name = `Entry ${sequence} (${entry.audit_id}, ${entry.action})`;
    if (hashEntry(entry) !== entry.hash) report(owner, sequence, 'altered', `${name} was changed: its hash differs.`);
    const expected = chain.sequence + 1;
    if (chain.sequence >= 0 && sequence < expected) {
      report(owner, sequence, 'out_of_order', `${name} comes after entry ${chain.sequence}.`);
      continue;
    }
    if (chain.sequence >= 0 && sequence > expected) {
      const range = sequence === expected + 1 ? `Entry ${expected} is` : `Entries ${expected} to ${sequence - 1} are`;
      report(owner, expected, 'missing', `${range} missing before ${entry.audit_id}.`);
    } else if (chain.hash !== undefined && entry.previous_hash !== chain.hash) {
      report(owner, sequence, 'unlinked', `${name} does not follow entry ${sequence - 1}: one of them was replaced.`);
    }
    if (chain.head?.sequence === sequence && entry.hash !== chain.head.hash) {
      report(owner, sequence, 'head_differs', `${name} is not the entry that the end of the chain names.`);
    }
    chain.sequence = sequence;
    chain.hash = entry.hash;
  }

  for (const [owner, { head, sequence }] of chains) {
    if (head === undefined) {
      report(owner, sequence, 'head_missing', `The end of the chain is missing: entries after ${sequence} may be too.`);
    } else if (sequence < head.sequence && (from === undefined || head.audit_id >= from)) {
      const first = Math.max(sequence, 0) + 1;
      const range = sequence < 0 || first < head.sequence ? `Entries up to ${head.sequence}` : `Entry ${first}`;
      report(
        owner,
        first,
        'tail_missing',
        `${range} ${range.startsWith('Entries') ? 'are' : 'is'} missing at the end.`,
      );
    }
  }
  return { entries: count, chains: chains.size, faults, faultCount };
}
