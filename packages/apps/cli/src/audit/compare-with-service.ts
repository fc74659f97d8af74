import type { AuditHead, AuditItem, AuditRange } from '@leeward/accounts';
import type { FileFault } from './verify-files.ts';

/** Pages of the audit log of a service or a database. */
export interface AuditReader {
  heads(request: object): AsyncIterable<AuditHead>;
  list(request: object): AsyncIterable<AuditItem>;
}

/** Result of comparing a file with the chains in force. */
export interface Comparison {
  readonly faults: readonly FileFault[];
  /** Entries that the file does not have yet. */
  readonly newer: number;
}

/** Checks that the chains in force contain the last entries of a file. */
export async function compareWithService(ranges: readonly AuditRange[], reader: AuditReader): Promise<Comparison> {
  const heads = new Map<string | null, AuditHead>();
  for await (const head of reader.heads({})) heads.set(head.organization_id, head);
  const faults: FileFault[] = [];
  let newer = 0;
  for (const { organizationId, last } of ranges) {
    const { sequence } = last;
    const fault = (code: string, message: string) => void faults.push({ organizationId, sequence, code, message });
    const head = heads.get(organizationId);
    if (head === undefined) {
      fault('head_missing', 'The chain is missing in the service, or this token may not read it.');
    } else if (head.sequence < sequence) {
      const message = `The chain of the service ends with entry ${head.sequence}, the file with entry ${sequence}: entries were removed, or an older backup was restored.`;
      fault('head_differs', message);
    } else if (!(await isIn(organizationId, last, head, reader))) {
      const message = `Entry ${sequence} (${last.audit_id}) of the file is not in the chain of the service: the chain was rewritten, or an older backup was restored.`;
      fault('head_differs', message);
    }
    newer += Math.max(0, (head?.sequence ?? 0) - sequence);
  }
  return { faults, newer };
}

async function isIn(
  organizationId: string | null,
  last: AuditRange['last'],
  head: AuditHead,
  reader: AuditReader,
): Promise<boolean> {
  if (head.sequence === last.sequence) return head.hash === last.hash;
  const owner = organizationId === null ? { instance: true } : { organization_id: organizationId };
  const later = reader.list({ ...owner, oldest_first: true, cursor: last.audit_id, limit: 1 });
  for await (const { sequence, previous_hash: hash } of later) {
    return sequence === last.sequence + 1 && hash === last.hash;
  }
  return false;
}
