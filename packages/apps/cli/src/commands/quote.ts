import { randomUUID } from 'node:crypto';
import type { QuoteStatusResponse } from '@leeward/quotes';
import type { Command } from 'commander';
import { printItems } from '../accounts/print-items.ts';
import { CommandError } from '../command-error.ts';
import type { JsonFile } from '../files/json-file.ts';
import { readJsonInput } from '../files/json-input.ts';
import { comparisonTable } from '../quotes/comparison-table.ts';
import { addFailureCommands } from '../quotes/operator-commands.ts';
import { dollars, plainText } from '../quotes/plain-text.ts';
import { createProgressLine } from '../quotes/progress-line.ts';
import { createQuoteClient, type QuoteClient, RefusedByServiceError } from '../quotes/quote-client.ts';
import { quoteServer, type ServerOptions } from '../quotes/quote-server.ts';
import { rateTable } from '../quotes/rate-table.ts';
import { refusedAtLines, throwFaults } from '../quotes/refusal.ts';
import { withOptions } from '../quotes/requested-options.ts';
import { waitForQuote } from '../quotes/wait-for-quote.ts';
import type { Terminal } from '../terminal.ts';

interface ShowOptions extends ServerOptions {
  readonly wait?: boolean;
  readonly timeout: string;
  readonly json?: boolean;
}

interface CreateOptions extends ShowOptions {
  readonly idempotencyKey?: string;
  readonly option?: readonly string[];
}

interface CompareOptions extends ServerOptions {
  readonly form?: string;
  readonly differences?: boolean;
  readonly json?: boolean;
}

interface ListOptions extends ServerOptions {
  readonly product?: string;
  readonly status?: string;
  readonly team?: string;
  readonly limit?: string;
  readonly cursor?: string;
  readonly json?: boolean;
}

interface ProposalOptions extends ServerOptions {
  readonly agency: string;
  readonly form?: string;
  readonly rates?: readonly string[];
}

interface EraseOptions extends ServerOptions {
  readonly email?: string;
  readonly phone?: string;
  readonly lastName?: string;
  readonly born?: string;
}

/** A requote that changes only coverages. */
const optionsOnly: JsonFile = { file: '--option', value: {}, lineOf: () => 1 };

/** A little more than a quote's carriers have. */
const usualTimeoutSeconds = '960';

/** `leeward quote …`: quotes at a running service. */
export function quoteCommand(group: Command, terminal: Terminal): void {
  const atService = (command: Command) =>
    command
      .option('--url <url>', 'the service (LEEWARD_URL, default the demo of the data folder)')
      .option('--token <token>', 'of a team; better in LEEWARD_TOKEN, where no list of processes shows it');
  const common = (command: Command) =>
    atService(command)
      .option('--wait', 'wait until every carrier has answered')
      .option('--timeout <seconds>', 'how long to wait', usualTimeoutSeconds)
      .option('--json', 'print JSON (default if the output is not a terminal)');
  atService(group.command('list'))
    .description('List the quotes of a team, newest first.')
    .option('--product <code>', 'of this product alone')
    .option('--status <status>', 'processing or complete')
    .option('--team <id>', 'with the token of an organization: one of its teams')
    .option('--limit <number>', 'at most so many, up to 200 (default 50)')
    .option('--cursor <cursor>', 'the value of next, to continue')
    .option('--json', 'print JSON (default if the output is not a terminal)')
    .action((options: ListOptions) => list(options, terminal));
  common(group.command('create'))
    .description('Create a quote from a file.')
    .argument('<file>', 'the request as the HTTP API has it; - for standard input')
    .option('--idempotency-key <key>', 'the same key is the same quote, for 24 hours (default a new one)')
    .action((file: string, options: CreateOptions) => create(file, options, terminal));
  common(group.command('requote'))
    .description('Requote with changes: calls carriers again if the changes affect them.')
    .argument('<quote>', 'either identifier of the quote')
    .argument('[file]', 'the changes as the HTTP API has them; - for standard input')
    .option('--option <code=value...>', 'another coverage: hurricane=5%, all_other_perils=5000, roof=actual_cash_value')
    .option('--idempotency-key <key>', 'the same key is the same quote, for 24 hours (default a new one)')
    .action((quote: string, file: string | undefined, options: CreateOptions) =>
      create(file, options, terminal, quote),
    );
  common(group.command('status'))
    .description('Show what carriers have answered.')
    .argument('<quote>', 'either identifier of the quote')
    .action((quote: string, options: ShowOptions) => show(quote, options, terminal));
  atService(group.command('compare'))
    .description('Put the rates of a quote side by side: premiums, coverages, deductibles, endorsements, fees.')
    .argument('<quote>', 'either identifier of the quote')
    .option('--form <type>', 'of this form type alone: ho3, dp3 …')
    .option('--differences', 'only rows in which rates differ from one another or from the request')
    .option('--json', 'print JSON (default if the output is not a terminal)')
    .action((quote: string, options: CompareOptions) => compare(quote, options, terminal));
  atService(group.command('proposal'))
    .description('Write a proposal: one page to print, as HTML.')
    .argument('<quote>', 'either identifier of the quote')
    .requiredOption('--agency <name>', 'the heading of the page')
    .option('--form <type>', 'of this form type alone: ho3, dp3 …')
    .option('--rates <ids...>', 'these rates alone (default all with a premium)')
    .action((quote: string, options: ProposalOptions) => propose(quote, options, terminal));
  addFailureCommands(group, terminal);
  atService(group.command('erase'))
    .description('Erase personal data of a quote, or of all quotes of a team for one insured. Cannot be undone.')
    .argument('[quote]', 'either identifier of the quote')
    .option('--email <address>', 'the insured’s e-mail address')
    .option('--phone <number>', 'the insured’s telephone number')
    .option('--last-name <name>', 'the insured’s family name, with --born')
    .option('--born <date>', 'the insured’s date of birth, YYYY-MM-DD')
    .action((quote: string | undefined, options: EraseOptions) => erase(quote, options, terminal));
}

async function list(options: ListOptions, terminal: Terminal): Promise<void> {
  const { product, status, team, limit, cursor } = options;
  const page = await createQuoteClient(await quoteServer(options, terminal))
    .list({
      product_code: product,
      status,
      team_id: team,
      limit: limit === undefined ? undefined : Number(limit),
      cursor,
    })
    .catch(throwFaults);
  if (!isForPeople(options, terminal)) return terminal.write(`${JSON.stringify(page, null, 2)}\n`);
  const rows = page.quotes.map(({ created_at, insured, insured_initials, counts, best_offer, quote_request_id }) => ({
    created: created_at.slice(0, 10),
    insured: plainText(insured?.name ?? insured_initials ?? 'erased'),
    best: counts.processing > 0 ? `${counts.processing} to answer` : best_offer && dollars(best_offer.premium),
    quote: quote_request_id,
  }));
  printItems(rows, ['created', 'insured', 'best', 'quote'], {}, terminal);
  if (page.next !== null) terminal.writeError(`There are more: --cursor ${page.next}\n`);
}

async function propose(quote: string, options: ProposalOptions, terminal: Terminal): Promise<void> {
  const request = { agency_name: options.agency, form_type: options.form, rate_ids: options.rates };
  const client = createQuoteClient(await quoteServer(options, terminal));
  terminal.write(await client.proposal(quote, request).catch(throwFaults));
}

async function compare(quote: string, options: CompareOptions, terminal: Terminal): Promise<void> {
  const selection = { form_type: options.form, differences_only: options.differences };
  const client = createQuoteClient(await quoteServer(options, terminal));
  const comparison = await client.compare(quote, selection).catch(throwFaults);
  const { columns, inColor } = terminal;
  terminal.write(
    isForPeople(options, terminal) && columns !== undefined
      ? comparisonTable(comparison, { columns, inColor })
      : `${JSON.stringify(comparison, null, 2)}\n`,
  );
}

/** One quote, or all of the team's for one insured. */
async function erase(quote: string | undefined, options: EraseOptions, terminal: Terminal): Promise<void> {
  const { email, phone, lastName, born } = options;
  const insured = {
    ...(email !== undefined && { insured_email: email }),
    ...(phone !== undefined && { insured_phone: phone }),
    ...(lastName !== undefined && { last_name: lastName }),
    ...(born !== undefined && { insured_date_of_birth: born }),
  };
  const isNamed = Object.keys(insured).length > 0;
  if ((quote === undefined) !== isNamed) {
    throw new CommandError('Give a quote, or an insured by --email, --phone, or --last-name with --born.');
  }
  const client = createQuoteClient(await quoteServer(options, terminal));
  const done = await client.erase(quote ?? { insured }).catch(throwFaults);
  terminal.write(`${JSON.stringify(done, null, 2)}\n`);
}

/** @param earlier the quote that is made again; left out, a new one is made. */
async function create(
  file: string | undefined,
  options: CreateOptions,
  terminal: Terminal,
  earlier?: string,
): Promise<void> {
  const timeoutMs = timeoutOf(options);
  if (file === undefined && options.option === undefined) {
    throw new CommandError('Give a file of changes, or --option, for example --option hurricane=5%.');
  }
  const read = file === undefined ? optionsOnly : await readJsonInput(file, terminal, 'The request');
  const request =
    options.option === undefined ? read : { ...read, value: await withOptions(read.value, options.option) };
  const server = await quoteServer(options, terminal);
  const client = createQuoteClient(server);
  const key = options.idempotencyKey ?? randomUUID();
  const creation =
    earlier === undefined ? client.create(request.value, key) : client.requote(earlier, request.value, key);
  const created = await creation.catch((error: unknown) => {
    throw refusedAtLines(error, request) ?? withKey(error, key, options);
  });
  const id = created.quote_request_id;
  if (options.wait) return follow(client, id, timeoutMs, options, terminal);
  if (isForPeople(options, terminal)) {
    const { processing } = created.counts;
    terminal.write(`Quote ${id}: calling ${processing} carriers.\n\n  leeward quote status ${id} --wait\n`);
  } else terminal.write(`${JSON.stringify(created, null, 2)}\n`);
}

async function show(quote: string, options: ShowOptions, terminal: Terminal): Promise<void> {
  const timeoutMs = timeoutOf(options);
  const client = createQuoteClient(await quoteServer(options, terminal));
  if (options.wait) return follow(client, quote, timeoutMs, options, terminal);
  print(await client.status(quote), options, terminal);
}

async function follow(
  client: QuoteClient,
  id: string,
  timeoutMs: number,
  options: ShowOptions,
  terminal: Terminal,
): Promise<void> {
  const cancelled = new AbortController();
  const cancel = () => cancelled.abort();
  process.once('SIGINT', cancel).once('SIGTERM', cancel);
  const progress = createProgressLine(isForPeople(options, terminal) ? terminal : { ...terminal, columns: undefined });
  const goesOn = `The quote goes on without you: leeward quote status ${id} --wait`;
  let status: QuoteStatusResponse;
  try {
    status = await waitForQuote(client, id, { timeoutMs, signal: cancelled.signal, onStatus: progress.show });
  } catch (error) {
    throw error instanceof CommandError ? new CommandError(`${error.message}\n${goesOn}`) : error;
  } finally {
    progress.wipe();
    process.off('SIGINT', cancel).off('SIGTERM', cancel);
  }
  print(status, options, terminal);
  if (status.status === 'complete') return;
  const why = cancelled.signal.aborted ? 'Not waited for' : `Not all have answered in ${options.timeout} s`;
  throw new CommandError(`${why}. ${goesOn}`);
}

function print(status: QuoteStatusResponse, options: ShowOptions, terminal: Terminal): void {
  const { columns, inColor } = terminal;
  if (isForPeople(options, terminal) && columns !== undefined) terminal.write(rateTable(status, { columns, inColor }));
  else terminal.write(`${JSON.stringify(status, null, 2)}\n`);
}

function isForPeople({ json }: { readonly json?: boolean }, { columns }: Terminal): boolean {
  return columns !== undefined && json !== true;
}

function timeoutOf({ timeout }: ShowOptions): number {
  if (/^\d{1,6}$/.test(timeout)) return Number(timeout) * 1000;
  throw new CommandError(`--timeout is ${JSON.stringify(timeout)}; give whole seconds.`);
}

/** The quote may or may not exist. Only the same key requests the same quote. */
function withKey(error: unknown, key: string, { idempotencyKey }: CreateOptions): unknown {
  if (!(error instanceof CommandError) || error instanceof RefusedByServiceError || idempotencyKey) return error;
  return new CommandError(`${error.message}\nTo try again without making two: --idempotency-key ${key}`);
}
