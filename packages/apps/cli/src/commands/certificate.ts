import { createCertificateKey } from '@leeward/certificate/keys';
import type { Command } from 'commander';
import { type IssueCommandOptions, issue } from '../certificate/issue-command.ts';
import { type LetterOptions, letter } from '../certificate/letter-command.ts';
import { publicKeys, type VerifyOptions, verify } from '../certificate/verify-command.ts';
import { CommandError } from '../command-error.ts';
import { eventsOption } from '../homes/read-events.ts';
import { lineOption } from '../lines/known-lines.ts';
import { rotateEmbeddedKeys } from '../signing/certificate-keys.ts';
import { certificateSettings } from '../signing/certificate-settings.ts';
import type { Terminal } from '../terminal.ts';

const keyOption = ['--key <file>', 'public keys: the answer of GET /v1/certificate-keys, or one key'] as const;
const urlOption = ['--url <url>', 'a service whose keys to use (default those of this machine)'] as const;

interface KeysOptions {
  readonly rotate?: boolean;
  readonly new?: boolean;
}

/** `leeward certificate`: signed evidence for a home. */
export function certificateCommand(command: Command, terminal: Terminal): void {
  command
    .argument('<file>', 'the home, as a request has it; - for standard input')
    .option('--carriers <folder>', 'folder of carriers (LEEWARD_CARRIERS, default the invented ones)')
    .option(...lineOption)
    .option(...eventsOption)
    .option('--out <name>', 'name of the files, without their ending (default HOME.certificate)')
    .option('--for <name>', 'the recipient, on the page and in letters')
    .option('--reference <text>', 'your own number, on the page and in letters')
    .option('--issuer <name>', 'name of the issuer (LEEWARD_CERTIFICATE_ISSUER)')
    .option('--key <file>', 'the private key (LEEWARD_CERTIFICATE_KEY or _FILE, default one made in the data folder)')
    .option('--letters', 'also write a letter for each carrier that declined')
    .option('--template <file>', 'template of the letters: .html, or text')
    .option('--json', 'print the JSON, and write no file')
    .action((file: string, options: IssueCommandOptions) => issue(file, options, terminal));
  command
    .command('verify')
    .description('Verify certificates, as pages or JSON. Ends with 1 if one was changed, 3 if its key is unknown.')
    .argument('<files...>')
    .option(...keyOption)
    .option(...urlOption)
    .option('--json', 'print JSON')
    .action((files: string[], options: VerifyOptions, self: Command) =>
      verify(files, withOptionsOf(options, self), terminal),
    );
  command
    .command('letter')
    .description('Write the letters of a certificate: for each carrier that declined, the reasons in words.')
    .argument('<file>', 'a certificate, as a page or JSON; it is verified first')
    .option('--template <file>', 'template: .html, or text (default LEEWARD_LETTERS, else letters in English)')
    .option('--carrier <key>', 'only the letter of this carrier')
    .option('--out <name>', 'write NAME.letter.CARRIER.TYPE.txt and .html (default print the text)')
    .option(...keyOption)
    .option(...urlOption)
    .action((file: string, options: LetterOptions, self: Command) =>
      letter(file, withOptionsOf(options, self), terminal),
    );
  command
    .command('keys')
    .description('Print the public keys of certificates, the one that signs first.')
    .option('--rotate', 'first make a new key in the data folder; earlier ones stay listed')
    .option('--new', 'instead print a new private key, for LEEWARD_CERTIFICATE_KEY')
    .action((options: KeysOptions) => keys(options, terminal));
}

/** Options that the command shares with its subcommands reach the command first. */
function withOptionsOf<Options extends object>(options: Options, self: Command): Options {
  return { ...self.optsWithGlobals<Options>(), ...options };
}

async function keys(options: KeysOptions, terminal: Terminal): Promise<void> {
  if (options.new) {
    terminal.write(`${JSON.stringify(createCertificateKey())}\n`);
    return;
  }
  if (options.rotate) {
    const { certificateKey, certificateKeyFile, dataFolder } = certificateSettings(terminal);
    if (certificateKey !== undefined || certificateKeyFile !== undefined) {
      throw new CommandError(
        'LEEWARD_CERTIFICATE_KEY or LEEWARD_CERTIFICATE_KEY_FILE names the keys: put a new one first in it (leeward certificate keys --new), and keep earlier ones without "d".',
        { exitCode: 2 },
      );
    }
    rotateEmbeddedKeys(dataFolder);
    terminal.writeError('A new key signs from the next start of the service.\n');
  }
  terminal.write(`${JSON.stringify({ keys: await publicKeys({}, terminal) }, null, 2)}\n`);
}
