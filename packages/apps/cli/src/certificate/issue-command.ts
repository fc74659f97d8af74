import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { type DeclinationLetter, issueCertificate } from '@leeward/certificate';
import { createMemoryHazardEvents, Problem } from '@leeward/http';
import { wordOf } from '@leeward/terms';
import { readCatalog } from '../carriers/carrier-files.ts';
import { demoCarriersOf } from '../carriers/demo-carriers.ts';
import { distanceSettings } from '../coast/distance-settings.ts';
import { CommandError } from '../command-error.ts';
import { printFaults } from '../files/file-fault.ts';
import { readJsonInput } from '../files/json-input.ts';
import { readEvents } from '../homes/read-events.ts';
import { openKnownLines } from '../lines/known-lines.ts';
import { mapPortsOf, openDistances } from '../serve/open-distances.ts';
import { openSigner, readKeyFile, signerOf } from '../signing/certificate-keys.ts';
import { certificateSettings } from '../signing/certificate-settings.ts';
import { readLetterFile, readLetterFolder } from '../signing/letter-templates.ts';
import type { Terminal } from '../terminal.ts';

export interface IssueCommandOptions {
  readonly carriers?: string;
  readonly line?: string;
  readonly events?: string;
  readonly out?: string;
  readonly for?: string;
  readonly reference?: string;
  readonly issuer?: string;
  readonly key?: string;
  readonly letters?: boolean;
  readonly template?: string;
  readonly json?: boolean;
}

/** Decides on a home, and writes the page, the JSON and letters. */
export async function issue(file: string, options: IssueCommandOptions, terminal: Terminal): Promise<void> {
  const home = await readJsonInput(file, terminal, 'The home');
  const settings = certificateSettings(terminal);
  const signer =
    options.key === undefined
      ? signerOfSettings(settings)
      : signerOf(readKeyFile(resolve(terminal.folder, options.key)), options.key);
  const carriers = options.carriers ?? (terminal.environment['LEEWARD_CARRIERS'] || undefined);
  const lines = await openKnownLines(options.line, terminal.folder);
  const catalog = readCatalog(carriers ?? demoCarriersOf(lines.requested), terminal.folder, lines);
  const events = await readEvents(options.events, terminal);
  const wantsLetters = options.letters || options.template !== undefined;
  const letters =
    options.template === undefined
      ? readLetterFolder(settings.lettersFolder)(null)
      : readLetterFile(resolve(terminal.folder, options.template), options.template);
  const opened = { promise: undefined as ReturnType<typeof openDistances> | undefined };
  const distance = () => {
    opened.promise ??= openDistances(distanceSettings(terminal));
    return opened.promise;
  };
  const { certificate, json, page } = await issueCertificate(home.value, {
    decider: catalog,
    now: terminal.now(),
    distance,
    traceId: randomUUID(),
    organizationId: null,
    hazardEvents: events && createMemoryHazardEvents(events),
    signer,
    issuer: options.issuer ?? settings.issuer,
    preparedFor: options.for,
    reference: options.reference,
    writeLetters: wantsLetters ? letters : undefined,
    map: async () => mapPortsOf(await distance()),
  }).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'invalid_request') throw error;
    const errors = error.options.errors ?? [];
    const faults = errors.map((fault) => ({ ...fault, file: home.file, line: home.lineOf(fault.path) }));
    throw new CommandError(`The home has errors:\n\n${printFaults(faults)}`);
  });
  if (carriers === undefined) terminal.writeError('These carriers are invented; give yours with --carriers.\n');
  if (options.json) {
    terminal.write(json);
    return;
  }
  const base = options.out ?? (file === '-' ? 'certificate' : basename(file).replace(/\.json$/i, '.certificate'));
  const { counts } = certificate.content;
  const written = [`${base}.html`, `${base}.json`];
  write(resolve(terminal.folder, `${base}.html`), page);
  write(resolve(terminal.folder, `${base}.json`), json);
  for (const letter of certificate.content.letters ?? []) written.push(...writeLetter(letter, base, terminal));
  const statuses = (['eligible', 'referral', 'needs_information', 'ineligible'] as const)
    .map((status) => `${counts[status]} ${wordOf('status', status)}`)
    .join(', ');
  terminal.write(`${statuses}.\nSigned with the key ${certificate.signature.key_id}.\n`);
  for (const name of written) terminal.write(`Wrote ${name}\n`);
}

function signerOfSettings(settings: Parameters<typeof openSigner>[0]) {
  const opened = openSigner(settings);
  if ('signer' in opened) return opened.signer;
  throw new CommandError(`${opened.missing} Or name a key file with --key.`, { exitCode: 2 });
}

/** `NAME.letter.CARRIER.TYPE.txt` and `.html`. @returns their names */
export function writeLetter(
  { carrier_key, policy_type, text, html }: DeclinationLetter,
  base: string,
  terminal: Terminal,
): string[] {
  const name = `${base}.letter.${carrier_key}.${policy_type.replaceAll(/[^a-z0-9-]/g, '-')}`;
  write(resolve(terminal.folder, `${name}.txt`), text);
  write(resolve(terminal.folder, `${name}.html`), html);
  return [`${name}.txt`, `${name}.html`];
}

function write(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch (error) {
    throw new CommandError(`${path} cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)}).`);
  }
}
