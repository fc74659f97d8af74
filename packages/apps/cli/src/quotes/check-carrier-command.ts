import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  checkHttpCarrier,
  type HttpCarrierFile,
  type HttpCarrierPreview,
  type HttpCarrierTrial,
  previewHttpCarrier,
  readTrialRequest,
} from '@leeward/carriers';
import { type CarrierAnswer, CarrierFault, type Fault } from '@leeward/quotes';
import type { Command } from 'commander';
import { CommandError } from '../command-error.ts';
import { printFaults } from '../files/file-fault.ts';
import type { JsonFile } from '../files/json-file.ts';
import { readJsonInput } from '../files/json-input.ts';
import type { Terminal } from '../terminal.ts';
import { carrierSecrets } from './carrier-secrets.ts';

interface CheckOptions {
  readonly request?: string;
  readonly answer?: string;
  readonly status: string;
  readonly json?: boolean;
}

/** `leeward carrier check`: checks a file without a call. */
export function addCheckCommand(group: Command, terminal: Terminal): void {
  group
    .command('check')
    .description('Check the file of a carrier over HTTP; show what it would be sent, and how an answer of it reads.')
    .argument('<file>', 'http-carrier.json; - for standard input')
    .option('--request <file>', 'a quote request, as leeward quote create takes it')
    .option('--answer <file>', 'an answer as the carrier would give it; with --request')
    .option('--status <number>', 'the HTTP status of that answer', '200')
    .option('--json', 'print JSON')
    .action((file: string, options: CheckOptions) => check(file, options, terminal));
}

async function check(file: string, options: CheckOptions, terminal: Terminal): Promise<void> {
  const read = await readJsonInput(file, terminal, 'The carrier');
  const knownSecrets = carrierSecrets(terminal.environment);
  const missing = new Set<string>();
  const secrets = (name: string) => {
    const value = knownSecrets(name);
    if (!value) missing.add(name);
    return value || `\${${name}}`;
  };
  const { carrier, faults } = checkHttpCarrier(read.value, { secrets });
  if (!carrier) throw refused(read, faults, 'The file of the carrier has faults');
  const preview = options.request === undefined ? undefined : await previewOf(carrier, options, terminal);
  if (preview === undefined && options.answer !== undefined) {
    throw new CommandError('--answer is read for a request: give one with --request.', { exitCode: 2 });
  }
  if (options.json) {
    const { sent = null, unsent = null, answer = null } = preview ?? {};
    const report = { carrier_key: carrier.carrier.key, secrets_not_set: [...missing], sent, unsent, answer };
    terminal.write(`${JSON.stringify(report, (_, value) => (typeof value === 'bigint' ? Number(value) : value), 2)}\n`);
    return;
  }
  terminal.write(`${carrier.carrier.name} (${carrier.carrier.key}): the file is in order.\n`);
  if (missing.size > 0) terminal.write(`Not set here: ${[...missing].join(', ')}.\n`);
  if (preview !== undefined) terminal.write(describe(preview));
}

async function previewOf(
  carrier: HttpCarrierFile,
  { request: name = '', answer, status }: CheckOptions,
  terminal: Terminal,
): Promise<HttpCarrierPreview> {
  if (!/^[1-5]\d\d$/.test(status)) {
    throw new CommandError(`--status is ${JSON.stringify(status)}; give an HTTP status, as 200.`, { exitCode: 2 });
  }
  const file = await readJsonInput(name, terminal, 'The request');
  const today = terminal.now().toISOString().slice(0, 10);
  const read = readTrialRequest(file.value, { file: carrier, today });
  if ('faults' in read) throw refused(file, read.faults, 'No carrier would be called for this request');
  const trial: HttpCarrierTrial = {
    request: read.request,
    answer: answer === undefined ? undefined : { status: Number(status), text: await bytesOf(answer, terminal) },
  };
  try {
    return previewHttpCarrier(carrier, trial);
  } catch (error) {
    if (!(error instanceof CarrierFault)) throw error;
    throw new CommandError(`${error.message} (${error.code})`);
  }
}

async function bytesOf(file: string, terminal: Terminal): Promise<Uint8Array> {
  try {
    return await readFile(resolve(terminal.folder, file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read (${code}).`);
  }
}

function refused({ file, lineOf }: JsonFile, faults: readonly Fault[], what: string): CommandError {
  return new CommandError(
    `${what}:\n\n${printFaults(faults.map((fault) => ({ ...fault, file, line: lineOf(fault.path) })))}`,
  );
}

function describe({ sent, unsent, answer }: HttpCarrierPreview): string {
  const lines: string[] = [];
  if (unsent !== undefined) lines.push('', 'Nothing would be sent:', ...answerLines(unsent));
  if (sent !== undefined) {
    const headers = Object.entries(sent.headers).map(([name, value]) => `${name}: ${value}`);
    lines.push('', `${sent.method} ${sent.url}`, ...headers, '', sent.body);
  }
  if (answer !== undefined) lines.push('', 'The answer reads as:', ...answerLines(answer));
  return `${lines.join('\n').trimEnd()}\n`;
}

function answerLines({ messages = [], ...answer }: CarrierAnswer): string[] {
  const answerText = JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? Number(value) : value), 2);
  return [answerText, ...messages.map(({ level, message }) => `${level}: ${message}`)];
}
