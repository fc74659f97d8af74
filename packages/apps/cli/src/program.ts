import tab from '@bomb.sh/tab/commander';
import { Command, Option } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import type { Terminal } from './terminal.ts';

/** Export of a command's file: adds arguments, options, subcommands and the action. */
type AddCommand = (command: Command, terminal: Terminal) => void;

interface ListedCommand {
  readonly description: string;
  load(): Promise<AddCommand>;
}

/** Loading all files takes most of a second, so only the requested command is loaded. */
const commands: Readonly<Record<string, ListedCommand>> = {
  serve: {
    description: 'Serve the HTTP API.',
    load: async () => (await import('./commands/serve.ts')).serveCommand,
  },
  demo: {
    description: 'Show the links and example requests of a demo that runs.',
    load: async () => (await import('./commands/demo.ts')).demoCommand,
  },
  config: {
    description: 'Print the settings in force, where each comes from, and what is wrong with them. No secrets.',
    load: async () => (await import('./commands/config.ts')).configCommand,
  },
  worker: {
    description: 'Call carriers for accepted quotes, without HTTP. Settings as for serve.',
    load: async () => (await import('./commands/worker.ts')).workerCommand,
  },
  login: {
    description: 'Sign in at a service, in a browser. Commands then need no token.',
    load: async () => (await import('./commands/login.ts')).loginCommand,
  },
  logout: {
    description: 'End a sign-in and its tokens.',
    load: async () => (await import('./commands/logout.ts')).logoutCommand,
  },
  whoami: {
    description: 'Show who is signed in at a service, with which rights.',
    load: async () => (await import('./commands/whoami.ts')).whoamiCommand,
  },
  quote: {
    description: 'Ask carriers for quotes, at a service that runs.',
    load: async () => (await import('./commands/quote.ts')).quoteCommand,
  },
  underwrite: {
    description: 'Show every carrier’s answer for a home.',
    load: async () => (await import('./commands/underwrite.ts')).underwriteCommand,
  },
  certificate: {
    description: 'Sign evidence for a home: a page and JSON that anyone can verify; letters of declination.',
    load: async () => (await import('./commands/certificate.ts')).certificateCommand,
  },
  rules: {
    description: 'Check, analyse, compare and explain rule sets.',
    load: async () => (await import('./rules/rules-command.ts')).rulesCommand,
  },
  mcp: {
    description: 'Serve tools for AI agents (Model Context Protocol) on standard input and output.',
    load: async () => (await import('./commands/mcp.ts')).mcpCommand,
  },
  book: {
    description: 'Evaluate a whole book of policies.',
    load: async () => (await import('./commands/book.ts')).bookCommand,
  },
  compile: {
    description: 'Compile rule sets to one file that evaluates homes where the data is.',
    load: async () => (await import('./commands/compile.ts')).compileCommand,
  },
  coast: {
    description: 'Find the shore, with its accuracy.',
    load: async () => (await import('./commands/coast.ts')).coastCommand,
  },
  audit: {
    description: 'Export the audit log, and verify that no entry was changed or removed.',
    load: async () => (await import('./commands/audit.ts')).auditCommand,
  },
  backup: {
    description: 'Write the whole database to one file, while services run.',
    load: async () => (await import('./commands/backup.ts')).backupCommand,
  },
  restore: {
    description: 'Put a backup in the place of the database.',
    load: async () => (await import('./commands/restore.ts')).restoreCommand,
  },
  erasures: {
    description: 'The list of erasures: export it, and replay it after a restore.',
    load: async () => (await import('./commands/erasures.ts')).erasuresCommand,
  },
  keys: {
    description:
      'The keys that personal data of quotes is encrypted under: count, encrypt again, or erase what a lost key encrypted.',
    load: async () => (await import('./commands/keys.ts')).keysCommand,
  },
  places: {
    description: 'Addresses, kept here: houses are found with no network.',
    load: async () => (await import('./commands/places.ts')).placesCommand,
  },
  organization: {
    description: 'Make, list and remove organizations.',
    load: async () => (await import('./commands/organization.ts')).organizationCommand,
  },
  team: {
    description: 'Make, list and remove teams of an organization.',
    load: async () => (await import('./commands/team.ts')).teamCommand,
  },
  producer: {
    description: 'Add, list and remove the people who quote for a team.',
    load: async () => (await import('./commands/producer.ts')).producerCommand,
  },
  user: {
    description: 'Invite, list, disable and remove people who sign in; their roles.',
    load: async () => (await import('./commands/user.ts')).userCommand,
  },
  appointment: {
    description: 'Appoint carriers to an organization, list and end that.',
    load: async () => (await import('./commands/appointment.ts')).appointmentCommand,
  },
  carrier: {
    description: 'Enter, list and remove carriers of an organization’s own; pause and resume any.',
    load: async () => (await import('./commands/carrier.ts')).carrierCommand,
  },
  webhook: {
    description: 'Send events of a team’s quotes to its systems.',
    load: async () => (await import('./commands/webhook.ts')).webhookCommand,
  },
  watch: {
    description: 'Watch homes, list and remove them: carriers’ changed answers go to webhooks.',
    load: async () => (await import('./commands/watch.ts')).watchCommand,
  },
  events: {
    description: 'Post, end and list storms and other events that rules test.',
    load: async () => (await import('./commands/events.ts')).eventsCommand,
  },
  token: {
    description: 'Make, rotate, revoke and list tokens.',
    load: async () => (await import('./commands/token.ts')).tokenCommand,
  },
};

/** Descriptions next to long options wrap down to this width, or the terminal would cut words. */
const MIN_HELP_COLUMNS = 16;

/** The requested command in full; names and descriptions of the others. */
export async function createProgram(terminal: Terminal, words: readonly string[]): Promise<Command> {
  const program = new Command('leeward')
    .description('Home insurance: which carriers would take a home, and why.')
    .version(version)
    .option('--debug', 'show the stack trace of an unexpected error')
    .configureOutput({ writeOut: terminal.write, writeErr: terminal.writeError })
    .configureHelp({ minWidthToWrap: MIN_HELP_COLUMNS })
    .showHelpAfterError('Run leeward --help for all commands.')
    .exitOverride();
  // The line to complete follows `--`: `complete -- token cre`.
  const [commandName] = words.filter((word) => !word.startsWith('-') && word !== 'help' && word !== 'complete');
  for (const [name, { description, load }] of Object.entries(commands)) {
    const command = program.command(name).description(description);
    if (name !== commandName) continue;
    (await load())(command, terminal);
    withOneFormat(command);
  }
  tab(program, { completionCommandName: 'completion' });
  return program;
}

/** Makes `--format json` and `--json` equal. If `--format` is a file format, as for books, `--json` applies to the printed output. */
function withOneFormat(command: Command): void {
  for (const each of command.commands) withOneFormat(each);
  const json = command.options.find(({ long }) => long === '--json');
  const format = command.options.find(({ long }) => long === '--format');
  if (json && !format) {
    command.addOption(new Option('--format <format>', 'how to print').choices(['text', 'json']));
    command.on('option:format', (value: string) => command.setOptionValue('json', value === 'json'));
  } else if (format?.argChoices?.includes('json') && !json) {
    command.option('--json', 'as --format json');
    command.on('option:json', () => command.setOptionValue('format', 'json'));
  }
}

const version: string = manifest.version;
