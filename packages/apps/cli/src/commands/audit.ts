import { createReadStream, createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { type AuditHead, type AuditItem, verifyAudit } from '@leeward/accounts';
import { isObject } from '@leeward/terms';
import type { Command } from 'commander';
import { givenInstant } from '../accounts/given-instant.ts';
import { commandLine, withAccounts } from '../accounts/with-accounts.ts';
import { CommandError } from '../command-error.ts';
import { formatCount } from '../format-count.ts';
import { askService } from '../rules/registry/registry-access.ts';
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

const FORMAT = 'leeward.audit/1';

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
    .action((options: AuditOptions) => withLog(options, terminal, (log) => write(log, options, terminal)));
  source(group.command('verify'))
    .description('Verify the hash chains of the audit log. Ends with 1 if an entry was changed, removed or moved.')
    .argument('[file]', 'an export; without it the database, or the service at --url')
    .option('--json', 'print JSON')
    .action((file: string | undefined, options: AuditOptions) =>
      file === undefined
        ? withLog(options, terminal, (log) => verify(log, options, terminal))
        : readExport(resolve(terminal.folder, file), file).then((log) => verify(log, options, terminal)),
    );
}

async function withLog(
  options: AuditOptions,
  terminal: Terminal,
  work: (log: AuditLog) => Promise<void>,
): Promise<void> {
  const url = options.url ?? (terminal.environment['LEEWARD_URL'] || undefined);
  if (url === undefined) {
    return withAccounts({ terminal }, async ({ administration: { audit } }) =>
      work(await openLog((verb, body) => audit[verb].run(commandLine, body), options, terminal)),
    );
  }
  const token = options.token ?? (terminal.environment['LEEWARD_TOKEN'] || undefined);
  if (token === undefined) throw new CommandError(`Give a token for ${url}: LEEWARD_TOKEN, or --token.`);
  const ask: Ask = (verb, body) =>
    askService({ url, token, command: 'leeward audit' }, `/v1/admin/audit/${verb}`, body, terminal);
  await work(await openLog(ask, options, terminal));
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
      ...body,
      limit: 1_000,
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
    yield `${JSON.stringify({ format: FORMAT, since })}\n`;
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

/** Heads precede entries. Entries without a head are reported by the verification. */
async function readExport(path: string, name: string): Promise<AuditLog> {
  const input = createReadStream(path);
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();
  let number = 0;
  const next = async (): Promise<Record<string, unknown> | undefined> => {
    const { value, done } = await lines.next().catch(() => {
      throw new CommandError(`The file ${name} cannot be read.`, { exitCode: 2 });
    });
    if (done) return undefined;
    number++;
    try {
      const parsed: unknown = JSON.parse(value);
      if (isObject(parsed)) return parsed;
    } catch {
      // Reported below.
    }
    throw new CommandError(
      `${name}:${number}: this line is not a JSON object. An export is written by leeward audit export.`,
    );
  };
  const header = await next();
  if (header?.['format'] !== FORMAT) {
    throw new CommandError(`${name} does not begin with {"format":"${FORMAT}"}: it is not an export of leeward audit.`);
  }
  const heads: AuditHead[] = [];
  let line = await next();
  for (; line !== undefined && isObject(line['head']); line = await next())
    heads.push(line['head'] as unknown as AuditHead);
  async function* entries() {
    for (; line !== undefined; line = await next()) yield line as unknown as AuditItem;
  }
  return { since: typeof header['since'] === 'string' ? header['since'] : null, heads, entries: entries() };
}

async function verify({ since, heads, entries }: AuditLog, { json }: AuditOptions, terminal: Terminal): Promise<void> {
  const startMs = performance.now();
  const { faults, faultCount, ...counts } = await verifyAudit(entries, { heads, since });
  const seconds = Number(((performance.now() - startMs) / 1000).toFixed(1));
  if (json) {
    const items = faults.map(({ organizationId, ...fault }) => ({ organization_id: organizationId, ...fault }));
    terminal.write(
      `${JSON.stringify({ ...counts, since, seconds, fault_count: faultCount, faults: items, heads }, null, 2)}\n`,
    );
  } else {
    const start = since === null ? '' : ` since ${since}`;
    terminal.write(
      `${formatCount(counts.entries)} entries of ${formatCount(counts.chains)} chains${start} verified in ${seconds} s.\n`,
    );
    for (const { organizationId, message } of faults) terminal.write(`  ${organizationId ?? 'instance'}: ${message}\n`);
  }
  if (faultCount > 0) throw new CommandError(`The audit log has ${formatCount(faultCount)} faults.`);
}
