import { resolve } from 'node:path';
import { type AuditHead, type AuditReport, createAuditVerifier, readAuditLine } from '@leeward/accounts';
import { isObject } from '@leeward/terms';
import { CommandError } from '../command-error.ts';
import { type FileLine, fileLines } from './file-lines.ts';

/*
 * An export begins with its format and the ends of the chains, so a missing tail is found. The file of a stream has entries only: several
 * chains mixed, repeated lines, and after a crash or a full disk part of a line, which is whole on a later line.
 */

export const EXPORT_FORMAT = 'leeward.audit/1';

/** A fault of an entry, or of a line without one. */
export interface FileFault {
  /** null: the instance. Undefined if the line cannot be read. */
  readonly organizationId?: string | null;
  readonly sequence?: number;
  readonly code: string;
  readonly message: string;
  readonly place?: string | undefined;
}

export interface FileReport extends Omit<AuditReport, 'faults'> {
  readonly kind: 'export' | 'stream';
  readonly since: string | null;
  readonly heads: readonly AuditHead[];
  readonly faults: readonly FileFault[];
}

const MAX_LINE_FAULTS = 100;
/** Parts of lines that wait for their whole line. */
const MAX_PARTS = 100;

/** Verifies an export, or the files of a stream in the order in which they were written. */
export async function verifyFiles(names: readonly string[], folder: string): Promise<FileReport> {
  const lines = linesOf(names, folder);
  const first = await lines.next();
  const header = first.done ? undefined : objectIn(first.value.text);
  if (header !== undefined && Object.hasOwn(header, 'format')) {
    if (names.length > 1) throw new CommandError('Only files of a stream are verified together; give one export.');
    return verifyExport(header, first.value as PlacedLine, lines);
  }
  if (header !== undefined && !Object.hasOwn(header, 'audit_id')) {
    throw new CommandError(
      `${names[0]} does not begin with {"format":"${EXPORT_FORMAT}"} or an entry: it is not an export of leeward audit, and not a file of LEEWARD_AUDIT_STREAM.`,
    );
  }
  return verifyStream(first.done ? [] : [first.value], lines);
}

interface PlacedLine extends FileLine {
  /** `audit.ndjson:12`. */
  readonly place: string;
}

async function* linesOf(names: readonly string[], folder: string): AsyncGenerator<PlacedLine, undefined> {
  for (const name of names) {
    for await (const line of fileLines(resolve(folder, name), name)) {
      yield { ...line, place: `${name}:${line.number}` };
    }
  }
  return undefined;
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function verifyExport(
  header: Readonly<Record<string, unknown>>,
  { text, place }: PlacedLine,
  lines: AsyncGenerator<PlacedLine, undefined>,
): Promise<FileReport> {
  const { format, since } = header;
  const isSince = since === null || (typeof since === 'string' && !Number.isNaN(Date.parse(since)));
  if (format !== EXPORT_FORMAT || !isSince || JSON.stringify({ format, since }) !== text) {
    throw new CommandError(
      `${place}: this line is not {"format":"${EXPORT_FORMAT}","since":…}, as leeward audit export writes it.`,
    );
  }
  const faults = createLineFaults();
  const heads: AuditHead[] = [];
  let next = await lines.next();
  for (; !next.done; next = await lines.next()) {
    const head = headIn(next.value.text);
    if (head === undefined) break;
    heads.push(head);
  }
  const verifier = createAuditVerifier({ heads, since: since as string | null });
  for (; !next.done; next = await lines.next()) {
    const reading = readAuditLine(next.value.text);
    if ('entry' in reading) verifier.add(reading.entry, next.value.place);
    else faults.add(next.value, reading.fault);
  }
  return { kind: 'export', since: since as string | null, heads, ...faults.with(verifier.report()) };
}

function headIn(text: string): AuditHead | undefined {
  const value = objectIn(text);
  const head = value?.['head'];
  if (!isObject(head) || JSON.stringify(value) !== text) return undefined;
  const fields = Object.keys(head).join();
  const isHead = fields === 'organization_id,sequence,audit_id,hash' && Number.isInteger(head['sequence']);
  return isHead ? (head as unknown as AuditHead) : undefined;
}

async function verifyStream(
  begun: readonly PlacedLine[],
  lines: AsyncGenerator<PlacedLine, undefined>,
): Promise<FileReport> {
  const verifier = createAuditVerifier({ heads: null });
  const faults = createLineFaults();
  let parts: { readonly line: PlacedLine; readonly fault: string }[] = [];
  const verify = (line: PlacedLine) => {
    const reading = readAuditLine(line.text);
    if ('entry' in reading) {
      if (parts.length > 0) parts = parts.filter((part) => !line.text.startsWith(part.line.text));
      verifier.add(reading.entry, line.place);
    } else if (reading.isJson || line.text === '' || parts.length >= MAX_PARTS) {
      faults.add(line, reading.fault);
    } else parts.push({ line, fault: reading.fault });
  };
  for (const line of begun) verify(line);
  for await (const line of lines) verify(line);
  for (const { line, fault } of parts) faults.add(line, fault);
  return { kind: 'stream', since: null, heads: [], ...faults.with(verifier.report()) };
}

/** Collects lines that are not entries. */
function createLineFaults() {
  const faults: FileFault[] = [];
  let count = 0;
  return {
    add({ isWhole, place }: PlacedLine, fault: string) {
      count++;
      if (faults.length >= MAX_LINE_FAULTS) return;
      const message = isWhole
        ? `This line ${fault}: it was changed or is not an entry of the audit log.`
        : 'The file ends within this line. If the service was killed while it wrote, it writes the line again.';
      faults.push({ code: isWhole ? 'line_altered' : 'line_incomplete', message, place });
    },
    with: ({ faults: others, faultCount, ...report }: AuditReport) => ({
      ...report,
      faults: [...faults, ...others],
      faultCount: faultCount + count,
    }),
  };
}
