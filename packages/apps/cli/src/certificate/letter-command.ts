import { resolve } from 'node:path';
import { type Certificate, createLetters } from '@leeward/certificate';
import { CommandError } from '../command-error.ts';
import { certificateSettings } from '../signing/certificate-settings.ts';
import { readLetterFile, readLetterFolder } from '../signing/letter-templates.ts';
import type { Terminal } from '../terminal.ts';
import { writeLetter } from './issue-command.ts';
import { type KeyOptions, publicKeys, readBytes, verifiedFile } from './verify-command.ts';

export interface LetterOptions extends KeyOptions {
  readonly template?: string;
  readonly carrier?: string;
  readonly out?: string;
}

/** Writes the letters of a certificate, which is verified first. */
export async function letter(file: string, options: LetterOptions, terminal: Terminal): Promise<void> {
  const bytes = readBytes(file, terminal);
  const certificate = verifiedFile(file, bytes, await publicKeys(options, terminal)) as Certificate;
  const { content } = certificate;
  const { lettersFolder } = certificateSettings(terminal);
  const write =
    options.template !== undefined
      ? readLetterFile(resolve(terminal.folder, options.template), options.template)
      : lettersFolder === undefined
        ? createLetters()
        : readLetterFolder(lettersFolder)(content.organization_id);
  const all = write(content);
  const letters = all.filter(({ carrier_key }) => options.carrier === undefined || carrier_key === options.carrier);
  if (letters.length === 0) {
    const keys = all.map(({ carrier_key }) => carrier_key).join(', ');
    const message =
      options.carrier === undefined || keys === ''
        ? `No carrier declined the home of ${file}, so there is no letter.`
        : `${options.carrier} did not decline the home of ${file}; these did: ${keys}.`;
    throw new CommandError(message);
  }
  if (options.out === undefined) {
    const isPage = options.template !== undefined && /\.html?$/i.test(options.template);
    terminal.write(letters.map(({ text, html }) => (isPage ? html : text)).join(isPage ? '\n' : '\n\f\n'));
    return;
  }
  for (const each of letters)
    for (const name of writeLetter(each, options.out, terminal)) terminal.write(`Wrote ${name}\n`);
}
