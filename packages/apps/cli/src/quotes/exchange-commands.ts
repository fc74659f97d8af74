import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type AnswerToReplay, checkHttpCarrier, type HttpCarrierFile, replayHttpCarrier } from '@leeward/carriers';
import type { Exchanges, WireExchange, WireHttpMessage } from '@leeward/quotes';
import { formatCents, isObject } from '@leeward/terms';
import type { Command } from 'commander';
import { type PrintOptions, printItems } from '../accounts/print-items.ts';
import { httpCarrierFiles } from '../carriers/carrier-adapters.ts';
import { CommandError } from '../command-error.ts';
import { printFaults } from '../files/file-fault.ts';
import { type JsonFile, readJsonFile } from '../files/json-file.ts';
import { readJsonInput } from '../files/json-input.ts';
import { nearPath } from '../near-path.ts';
import type { Terminal } from '../terminal.ts';
import { createOperatorClient, forOperator } from './operator-commands.ts';
import { dollars, plainText } from './plain-text.ts';
import type { ServerOptions } from './quote-server.ts';

interface Options extends ServerOptions, PrintOptions {
  readonly carrier?: string;
  readonly since?: string;
}

interface ShowOptions extends Options {
  readonly exchange?: string;
}

interface ReplayOptions extends Options {
  readonly file?: string;
  readonly carriers?: string;
}

/** `leeward carrier exchanges` and `leeward carrier replay`. */
export function addExchangeCommands(group: Command, terminal: Terminal): void {
  forOperator(group.command('exchanges'))
    .description('For the operator: list requests to carriers and their answers, which are kept for a week.')
    .argument('[rate]', 'the id of a rate')
    .option('--carrier <carrier>', 'of all rates of this carrier, by key or name')
    .option('--since <time>', 'from then on: 12h, 3d, or an instant as 2026-11-20T08:00:00Z')
    .option('--exchange <id>', 'show this one in full')
    .action((rate: string | undefined, options: ShowOptions) => show(rate, options, terminal));
  forOperator(group.command('replay'))
    .description('For the operator: read kept answers by an edited file; exits 1 if an outcome or premium changes.')
    .argument('[rate]', 'the id of a rate')
    .option('--file <file>', 'the edited http-carrier.json')
    .option('--carriers <folder>', 'instead of one file: a folder of carriers')
    .option('--carrier <carrier>', 'all kept answers of this carrier (default that of the file)')
    .option('--since <time>', 'from then on: 12h, 3d, or an instant as 2026-11-20T08:00:00Z')
    .action((rate: string | undefined, options: ReplayOptions) => replay(rate, options, terminal));
}

async function show(rate: string | undefined, options: ShowOptions, terminal: Terminal): Promise<void> {
  const { carrier, exchange: id, json } = options;
  if ((rate === undefined) === (carrier === undefined)) {
    throw new CommandError('Give the id of a rate, or --carrier.', { exitCode: 2 });
  }
  const all: WireExchange[] = [];
  const filter = rate === undefined ? { carrier_key: carrier } : { rate_id: rate };
  for await (const each of exchangesOf({ ...filter, include_messages: id !== undefined }, options, terminal)) {
    if (id === undefined || each.exchange_id === id) all.push(each);
  }
  if (id === undefined) {
    const items = json ? all : all.map((each) => ({ ...each, read_as: each.reading && wordsOf(each.reading) }));
    return printItems(
      items,
      ['exchange_id', 'at', 'purpose', 'status', 'took_ms', 'read_as', 'url'],
      options,
      terminal,
    );
  }
  const [exchange] = all;
  if (exchange === undefined) throw new CommandError(`There is no exchange ${id} there.`);
  terminal.write(json ? `${JSON.stringify(exchange, null, 2)}\n` : inFull(exchange));
}

async function replay(rate: string | undefined, options: ReplayOptions, terminal: Terminal): Promise<void> {
  const { file, carriers: folder, carrier } = options;
  if ((file === undefined) === (folder === undefined)) {
    throw new CommandError('Give the edited file with --file, or a folder with --carriers.', { exitCode: 2 });
  }
  if (rate !== undefined && carrier !== undefined) {
    throw new CommandError('Give the id of a rate, or --carrier, not both.', { exitCode: 2 });
  }
  const files = await readFiles(options, terminal);
  const filters =
    rate === undefined
      ? (carrier === undefined ? [...files.keys()] : [carrier]).map((carrier_key) => ({ carrier_key }))
      : [{ rate_id: rate }];
  const changes: object[] = [];
  const rates = new Set<string>();
  const changedRates = new Set<string>();
  let answers = 0;
  let skipped = 0;
  for (const filter of filters) {
    for await (const exchange of exchangesOf({ ...filter, include_messages: true }, options, terminal)) {
      const { rate_id, at, purpose, reading } = exchange;
      const answer = answerOf(exchange);
      if (answer === undefined || !reading) continue;
      if (answer === 'incomplete') {
        skipped++;
        continue;
      }
      answers++;
      rates.add(rate_id);
      const { outcome, code = null, premiumCents } = replayHttpCarrier(fileOf(files, exchange), answer);
      const after = { outcome, code, premium: premiumCents === undefined ? null : formatCents(premiumCents) };
      if (after.outcome === reading.outcome && after.premium === reading.premium) continue;
      changedRates.add(rate_id);
      changes.push({ rate_id, at, purpose, before: reading, after });
    }
  }
  const counts = { rates: rates.size, changed_rates: changedRates.size, answers, skipped };
  if (options.json) terminal.write(`${JSON.stringify({ ...counts, changes }, null, 2)}\n`);
  else if (changes.length > 0) {
    const rows = (changes as { before: Reading; after: Reading }[]).map((change) => ({
      ...change,
      before: wordsOf(change.before),
      after: wordsOf(change.after),
    }));
    printItems(rows, ['rate_id', 'at', 'purpose', 'before', 'after'], options, terminal);
  }
  const left = skipped > 0 ? ` ${skipped} answers were too long to be kept whole, and were not read.` : '';
  const result = `${changedRates.size} of ${rates.size} rates change (${answers} answers read).${left}`;
  if (changes.length > 0) throw new CommandError(result);
  if (!options.json) terminal.write(`${result}\n`);
}

type Reading = NonNullable<WireExchange['reading']>;

function wordsOf({ outcome, code, premium }: Reading): string {
  return [outcome, ...(premium === null ? [] : [dollars(premium)]), ...(code === null ? [] : [`(${code})`])].join(' ');
}

/** Page by page. */
async function* exchangesOf(filter: object, options: Options, terminal: Terminal): AsyncGenerator<WireExchange> {
  const post = createOperatorClient(options, terminal);
  const since = sinceOf(options.since, terminal);
  let after: string | null = null;
  do {
    const page = (await post('/v1/admin/quote-exchanges/list', { ...filter, since, limit: 50, after })) as Exchanges;
    yield* page.exchanges;
    after = page.next;
  } while (after !== null);
}

function sinceOf(text: string | undefined, terminal: Terminal): string | undefined {
  const [, count, unit] = /^(\d{1,4})([hd])$/.exec(text ?? '') ?? [];
  if (count === undefined) return text;
  const hours = Number(count) * (unit === 'd' ? 24 : 1);
  return new Date(terminal.now().getTime() - hours * 3_600_000).toISOString();
}

/** Undefined if it was not an answer for the file. */
function answerOf({ purpose, url, status, answer }: WireExchange): AnswerToReplay | 'incomplete' | undefined {
  if (purpose === undefined || purpose === 'step' || typeof status !== 'number' || !answer) return undefined;
  const { headers, body } = answer;
  if (body.truncated) return 'incomplete';
  return { purpose, url: url ?? '', status, headers, body: body.text ?? Buffer.from(body.base64 ?? '', 'base64') };
}

function inFull(exchange: WireExchange): string {
  const { exchange_id, rate_id, at, readable, method, url, status, failure, took_ms, reading, request, answer } =
    exchange;
  const about = `Exchange ${exchange_id} of rate ${rate_id}, ${at}`;
  if (!readable) return `${about}: it is encrypted under a key that the service lacks.\n`;
  const lines = [`${about}, ${took_ms} ms`, '', `${method} ${plainText(url ?? '')}`, ...messageLines(request), ''];
  lines.push(status === null ? `No answer (${failure}).` : `${status}`, ...messageLines(answer));
  if (failure && status !== null) lines.push('', `The answer is incomplete (${failure}).`);
  if (reading) lines.push('', `Read as: ${wordsOf(reading)}`);
  return `${lines.join('\n')}\n`;
}

function messageLines(message: WireHttpMessage | null | undefined): string[] {
  if (!message) return [];
  const { headers, body } = message;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${plainText(value)}`);
  if (body.bytes === 0) return lines;
  const text = body.text?.split('\n').map(plainText) ?? [`base64: ${body.base64}`];
  return [...lines, '', ...text, ...(body.truncated ? [`(the rest of ${body.bytes} bytes was not kept)`] : [])];
}

function fileOf(files: ReadonlyMap<string, HttpCarrierFile>, { carrier_key }: WireExchange): HttpCarrierFile {
  const file = files.get(carrier_key);
  if (file !== undefined) return file;
  throw new CommandError(
    `The answers are those of ${carrier_key}, and the files describe ${[...files.keys()].join(', ')}.`,
  );
}

async function readFiles(
  { file, carriers }: ReplayOptions,
  terminal: Terminal,
): Promise<ReadonlyMap<string, HttpCarrierFile>> {
  if (file !== undefined) return new Map([checked(await readJsonInput(file, terminal, 'The carrier'))]);
  const paths = httpCarrierFiles(resolve(terminal.folder, carriers!));
  if (paths.length === 0) throw new CommandError(`${carriers} has no http-carrier.json.`, { exitCode: 2 });
  return new Map(
    paths.map((path) => {
      const name = nearPath(path, terminal.folder);
      const read = readJsonFile(name, readFileSync(path));
      if ('value' in read) return checked(read);
      throw new CommandError(`${name} cannot be read:\n\n${printFaults(read)}`);
    }),
  );
}

/** Reading an answer needs no credentials. */
function checked({ value, file, lineOf }: JsonFile): readonly [string, HttpCarrierFile] {
  const { auth: _, tls: __, documents: ___, ...rest } = isObject(value) ? value : {};
  const { carrier, faults } = checkHttpCarrier(isObject(value) ? rest : value, { secrets: (name) => `\${${name}}` });
  if (carrier !== undefined) return [carrier.carrier.key, carrier];
  const lines = faults.map((fault) => ({ ...fault, file, line: lineOf(fault.path) }));
  throw new CommandError(`The file of the carrier has faults:\n\n${printFaults(lines)}`);
}
