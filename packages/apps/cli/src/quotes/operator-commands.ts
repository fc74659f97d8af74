import type { FailedRates, RetriedRates } from '@leeward/quotes';
import type { Command } from 'commander';
import { listOption } from '../accounts/list-option.ts';
import { type PrintOptions, printItem, printItems } from '../accounts/print-items.ts';
import { CommandError } from '../command-error.ts';
import type { Terminal } from '../terminal.ts';
import { postToService, RefusedByServiceError } from './quote-client.ts';
import { type ServerOptions, serviceUrl } from './quote-server.ts';

interface Options extends ServerOptions, PrintOptions {}

interface FailureOptions extends Options {
  readonly waiting?: boolean;
  readonly carrier?: string;
  readonly team?: string;
  readonly outcomes?: readonly string[];
  readonly longerThan?: string;
  readonly limit?: string;
  readonly after?: string;
}

interface RetryOptions extends Options {
  readonly carrier?: string;
  readonly outcomes?: readonly string[];
  readonly limit?: string;
  readonly mayRepeat?: boolean;
}

/** With the options of a command for the operator. */
export const forOperator = (command: Command) =>
  command
    .option('--url <url>', 'the service (LEEWARD_URL, default the demo of the data folder)')
    .option('--token <token>', 'the operator’s; better in LEEWARD_OPERATOR_TOKEN, where no list of processes shows it')
    .option('--json', 'print JSON');

/** `leeward quote trouble` and `leeward quote retry`. */
export function addFailureCommands(group: Command, terminal: Terminal): void {
  const outcomes = () =>
    listOption('--outcomes <outcomes>', 'invalid, failed, timed_out, unknown_outcome (default all)');
  forOperator(group.command('trouble'))
    .description('For the operator: list rates that ended for a fault, or wait too long, with why.')
    .option('--waiting', 'those that wait, instead of those that ended')
    .option('--carrier <carrier>', 'of this carrier alone, by key or name')
    .option('--team <id>', 'of this team alone')
    .addOption(outcomes())
    .option('--longer-than <seconds>', 'with --waiting: for at least so long (default 300)')
    .option('--limit <number>', 'at most so many, up to 500 (default 100)')
    .option('--after <place>', 'the value of next, to continue')
    .action(async (options: FailureOptions) => {
      const page = (await createOperatorClient(options, terminal)('/v1/admin/quote-rates/list', {
        state: options.waiting ? 'waiting' : 'ended',
        carrier_key: options.carrier,
        team_id: options.team,
        outcomes: options.outcomes,
        waiting_seconds: numberOf('--longer-than', options.longerThan),
        limit: numberOf('--limit', options.limit),
        after: options.after,
      })) as FailedRates;
      if (options.json) return printItem(page, options, terminal);
      printItems([...page.rates], ['rate_id', 'carrier_key', 'why', 'retry', 'created_at'], options, terminal);
      if (page.next !== null) terminal.writeError(`There are more: --after ${page.next}\n`);
    });
  forOperator(group.command('retry'))
    .description('For the operator: retry failed rates, and run waiting ones now.')
    .argument('[rates...]', 'their ids, as they are listed')
    .option('--carrier <carrier>', 'instead of ids: all of this carrier that ended for a fault')
    .addOption(outcomes())
    .option('--limit <number>', 'with --carrier: at most so many, up to 500 (default 100)')
    .option('--may-repeat', 'also if the carrier may have done the work already; check with the carrier first')
    .action(async (rates: string[], options: RetryOptions) => {
      const { carrier, outcomes: only, limit, mayRepeat } = options;
      if (rates.length > 0 === (carrier !== undefined)) {
        throw new CommandError('Give the ids of rates, or --carrier; leeward quote trouble lists them.');
      }
      const which =
        carrier === undefined
          ? { rate_ids: rates }
          : { carrier_key: carrier, outcomes: only, limit: numberOf('--limit', limit) };
      const done = (await createOperatorClient(options, terminal)('/v1/admin/quote-rates/retry', {
        ...which,
        may_repeat: mayRepeat ?? false,
      })) as RetriedRates;
      if (options.json) return printItem(done, options, terminal);
      const { retried, woken, refused, more } = done;
      terminal.write(`${retried.length} retried, ${woken.length} run now, ${refused.length} refused.\n`);
      for (const { rate_id, message } of refused) terminal.writeError(`${rate_id}: ${message}\n`);
      if (more) terminal.writeError('There are more: repeat the command.\n');
    });
}

/** `leeward carrier pause`, `resume` and `resting`, for all processes. */
export function addPauseCommands(group: Command, terminal: Terminal): void {
  const change = (verb: 'pause' | 'resume', description: string) =>
    forOperator(group.command(verb))
      .description(description)
      .argument('<carrier>', 'its key or name')
      .action(async (carrier_key: string, options: Options) => {
        const ask = createOperatorClient(options, terminal);
        printItem((await ask(`/v1/admin/quote-carriers/${verb}`, { carrier_key })) as object, options, terminal);
      });
  change('pause', 'For the operator: stop calling a carrier until it is resumed. Waiting rates are kept.');
  change('resume', 'For the operator: end a carrier’s pause or cooldown.');
  forOperator(group.command('resting'))
    .description('For the operator: list paused carriers.')
    .action(async (options: Options) => {
      const ask = createOperatorClient(options, terminal);
      const { carriers } = (await ask('/v1/admin/quote-carriers/list', {})) as { carriers: object[] };
      printItems(carriers, ['carrier_key', 'paused', 'remaining_seconds'], options, terminal);
    });
}

function numberOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new CommandError(`${name} is ${JSON.stringify(text)}; give a whole number.`);
}

/** All failures are `CommandError`s. */
export function createOperatorClient(
  options: ServerOptions,
  terminal: Terminal,
): (path: string, body: object) => Promise<unknown> {
  const url = serviceUrl(options, terminal);
  const token = options.token ?? (terminal.environment['LEEWARD_OPERATOR_TOKEN'] || undefined);
  if (token === undefined) {
    throw new CommandError(`Give the operator's token of ${url}: LEEWARD_OPERATOR_TOKEN, or --token.`);
  }
  const post = postToService({ url, token }, meanings);
  return (path, body) =>
    post(path, body).catch((error: unknown) => {
      if (!(error instanceof RefusedByServiceError) || error.faults.length === 0) throw error;
      throw new CommandError(error.faults.map(({ message }) => message).join('\n'));
    });
}

const meanings: Readonly<Record<string, string>> = {
  unauthenticated:
    'The service does not take this token: it is not the LEEWARD_OPERATOR_TOKEN that it was started with.',
  forbidden: 'This token is not the operator’s; give the LEEWARD_OPERATOR_TOKEN of the service.',
  not_found: 'There is no such carrier or rate there.',
};
