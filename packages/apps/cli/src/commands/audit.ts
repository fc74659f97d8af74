import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type AuditHead, type AuditItem, type AuditRange, verifyAudit } from '@leeward/accounts';
import type { Command } from 'commander';
import { givenInstant } from '../accounts/given-instant.ts';
import { commandLine, withAccounts } from '../accounts/with-accounts.ts';
import { type Comparison, compareWithService } from '../audit/compare-with-service.ts';
import { EXPORT_FORMAT, type FileFault, verifyFiles } from '../audit/verify-files.ts';
import { CommandError } from '../command-error.ts';
import { formatCount } from '../format-count.ts';
import { askService } from '../rules/registry/registry-access.ts';
import { tokenOfSignIn } from '../sign-in/token-of-sign-in.ts';
import type { Terminal } from '../terminal.ts';

interface AuditOptions {
  readonly organization?: string;
  readonly since?: string;
  readonly out?: string;
  readonly url?: string;
  readonly token?: string;
  readonly json?: boolean;
}

/** The chains up to their ends; later entries are left out. */
interface AuditLog {
  readonly since: string | null;
  readonly heads: readonly AuditHead[];
  readonly entries: AsyncIterable<AuditItem>;
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

type Ask = (verb: 'list' | 'heads', body: object) => Promise<Page<AuditItem> | Page<AuditHead>>;

/** `leeward audit …`: exports and verifies the audit log. */
export function auditCommand(group: Command, terminal: Terminal): void {
  const source = (command: Command) =>
    command
      .option('--organization <id>', 'only the chain of this organization')
      .option('--since <when>', 'only entries from this date, instant, or hours, days or weeks ago: 12h, 90d, 4w')
      .option('--url <url>', 'of a running service, instead of the database (LEEWARD_URL)')
      .option('--token <token>', 'of an administrator or operator, with --url (LEEWARD_TOKEN)');
  source(group.command('export'))
    .description('Write the audit log as lines of JSON, with the ends of its hash chains.')
    .option('--out <file>', 'file to write (default standard output)')
    .action((options: AuditOptions) =>
      withAudit(options, terminal, async (ask) => write(await openLog(ask, options, terminal), options, terminal)),
    );
  source(group.command('verify'))
    .description('Verify the hash chains of the audit log. Ends with 1 if an entry was changed, removed or moved.')
    .argument(
      '[file...]',
      'an export, or the files of a stream from the oldest on, also as .gz; with --url they are compared with the service. Without a file: the database, or the service at --url',
    )
    .option('--json', 'print JSON')
    .action((files: readonly string[], options: AuditOptions) =>
      files.length === 0
        ? withAudit(options, terminal, async (ask) =>
            verify(async () => verifyLog(await openLog(ask, options, terminal)), options, terminal),
          )
        : verify(() => verifyGiven(files, options, terminal), options, terminal),
    );
}

async function withAudit(options: AuditOptions, terminal: Terminal, work: (ask: Ask) => Promise<void>): Promise<void> {
  const url = options.url ?? (terminal.environment['LEEWARD_URL'] || undefined);
  if (url === undefined) {
    return withAccounts({ terminal }, async ({ administration: { audit } }) =>
      work((verb, body) => audit[verb].run(commandLine, body)),
    );
  }
  const token =
    options.token ?? (terminal.environment['LEEWARD_TOKEN'] || (await tokenOfSignIn(url, 'organization', terminal)));
  if (token === undefined) {
    throw new CommandError(`Give a token for ${url}: LEEWARD_TOKEN, --token or leeward login.`);
  }
  await work((verb, body) =>
    askService({ url, token, command: 'leeward audit' }, `/v1/admin/audit/${verb}`, body, terminal),
  );
}

async function openLog(ask: Ask, { organization, since }: AuditOptions, terminal: Terminal): Promise<AuditLog> {
  const owner = organization === undefined ? {} : { organization_id: organization };
  const from = since === undefined ? null : instantBefore(since, terminal.now().getTime());
  const heads: AuditHead[] = [];
  // The ends first: later entries are not verified.
  for await (const head of pages(ask, 'heads', owner)) heads.push(head as AuditHead);
  const ends = new Map(heads.map((head) => [head.organization_id, head.sequence]));
  const newer = new Set<string | null>();
  async function* entries() {
    const body = { ...owner, oldest_first: true, ...(from !== null && { since: from }) };
    for await (const item of pages(ask, 'list', body)) {
      const entry = item as AuditItem;
      const { organization_id: id } = entry;
      const end = ends.get(id);
      if (newer.has(id) || (end !== undefined && entry.sequence > end)) continue;
      if (end === undefined) {
        const named = id === null ? { instance: true } : { organization_id: id };
        if ((await ask('heads', named)).items.length > 0) {
          newer.add(id);
          continue;
        }
      }
      yield entry;
    }
  }
  return { since: from, heads, entries: entries() };
}

async function* pages(ask: Ask, verb: 'list' | 'heads', body: object): AsyncGenerator<AuditItem | AuditHead> {
  for (let cursor: string | null = null; ; ) {
    const page: Page<AuditItem | AuditHead> = await ask(verb, {
      limit: 1_000,
      ...body,
      ...(cursor !== null && { cursor }),
    });
    yield* page.items;
    if (page.next === null) return;
    cursor = page.next;
  }
}

function instantBefore(text: string, nowMs: number): string {
  const ago = /^\d+[hdw]$/.test(text)
    ? 2 * nowMs - Date.parse(givenInstant(text, nowMs))
    : Date.parse(givenInstant(text, nowMs));
  if (Number.isNaN(ago)) {
    throw new CommandError(`--since is ${JSON.stringify(text)}; give a date, an instant, or 12h, 90d or 4w.`, {
      exitCode: 2,
    });
  }
  return new Date(ago).toISOString();
}

async function write({ since, heads, entries }: AuditLog, { out }: AuditOptions, terminal: Terminal): Promise<void> {
  let count = 0;
  async function* lines() {
    yield `${JSON.stringify({ format: EXPORT_FORMAT, since })}\n`;
    for (const head of heads) yield `${JSON.stringify({ head })}\n`;
    for await (const entry of entries) {
      count++;
      yield `${JSON.stringify(entry)}\n`;
    }
  }
  if (out === undefined) {
    for await (const line of lines()) terminal.write(line);
    return;
  }
  await pipeline(lines(), createWriteStream(resolve(terminal.folder, out), { mode: 0o600 }));
  terminal.writeError(`${formatCount(count)} entries of ${formatCount(heads.length)} chains are in ${out}.\n`);
}

interface Verification {
  readonly since: string | null;
  readonly heads: readonly AuditHead[];
  readonly entries: number;
  readonly chains: number;
  readonly repeated: number;
  readonly ranges: readonly AuditRange[];
  readonly faults: readonly FileFault[];
  readonly faultCount: number;
  /** Entries of the service that a file does not have. */
  readonly newer?: number;
}

async function verifyLog({ since, heads, entries }: AuditLog): Promise<Verification> {
  return { since, heads, ...(await verifyAudit(entries, { heads, since })) };
}

async function verifyGiven(files: readonly string[], options: AuditOptions, terminal: Terminal): Promise<Verification> {
  const report = await verifyFiles(files, terminal.folder);
  if (options.url === undefined) return report;
  let compared: Comparison | undefined;
  await withAudit(options, terminal, async (ask) => {
    const reader = {
      heads: (body: object) => pages(ask, 'heads', body) as AsyncIterable<AuditHead>,
      list: (body: object) => pages(ask, 'list', body) as AsyncIterable<AuditItem>,
    };
    compared = await compareWithService(report.ranges, reader);
  });
  const { faults = [], newer = 0 } = compared ?? {};
  return { ...report, newer, faults: [...report.faults, ...faults], faultCount: report.faultCount + faults.length };
}

/** Chains listed in text. */
const MAX_LISTED = 20;

async function verify(
  verifying: () => Promise<Verification>,
  { json }: AuditOptions,
  terminal: Terminal,
): Promise<void> {
  const startMs = performance.now();
  const { faults, faultCount, ranges, since, heads, newer, ...counts } = await verifying();
  const seconds = Number(((performance.now() - startMs) / 1000).toFixed(1));
  if (json) {
    const named = <Item extends { readonly organizationId?: string | null }>({ organizationId, ...item }: Item) => ({
      organization_id: organizationId,
      ...item,
    });
    const report = { ...counts, since, seconds, newer, ranges: ranges.map(named), fault_count: faultCount };
    terminal.write(`${JSON.stringify({ ...report, faults: faults.map(named), heads }, null, 2)}\n`);
  } else {
    const start = since === null ? '' : ` since ${since}`;
    terminal.write(
      `${formatCount(counts.entries)} entries of ${formatCount(counts.chains)} chains${start} verified in ${seconds} s.\n`,
    );
    for (const range of ranges.slice(0, MAX_LISTED)) terminal.write(`  ${describeRange(range)}\n`);
    if (ranges.length > MAX_LISTED)
      terminal.write(`  … and ${formatCount(ranges.length - MAX_LISTED)} more; --json lists them all.\n`);
    if (counts.repeated > 0) terminal.write(`${formatCount(counts.repeated)} repeated lines are equal.\n`);
    if (newer !== undefined) terminal.write(`The service has ${formatCount(newer)} later entries of these chains.\n`);
    for (const { organizationId, place, message } of faults) {
      const chain = organizationId === undefined ? '' : `${organizationId ?? 'instance'}: `;
      terminal.write(`  ${place === undefined ? '' : `${place}: `}${chain}${message}\n`);
    }
  }
  if (faultCount > 0) throw new CommandError(`The audit log has ${formatCount(faultCount)} faults.`);
}

function describeRange({ organizationId, first, last, unchained }: AuditRange): string {
  const earlier =
    unchained === 0
      ? ''
      : `; ${unchained === 1 ? 'entry 1 is' : `entries 1 to ${unchained} are`} older than the chain, which proves them from the upgrade on`;
  return `${organizationId ?? 'instance'}: entries ${first.sequence} to ${last.sequence}, from ${first.at} to ${last.at}${earlier}`;
}
