import { Command } from 'commander';
import { appointmentCommand } from './commands/appointment.ts';
import { bookCommand } from './commands/book.ts';
import { carrierCommand } from './commands/carrier.ts';
import { coastCommand } from './commands/coast.ts';
import { configCommand } from './commands/config.ts';
import { organizationCommand } from './commands/organization.ts';
import { placesCommand } from './commands/places.ts';
import { producerCommand } from './commands/producer.ts';
import { quoteCommand } from './commands/quote.ts';
import { serveCommand } from './commands/serve.ts';
import { teamCommand } from './commands/team.ts';
import { tokenCommand } from './commands/token.ts';
import { underwriteCommand } from './commands/underwrite.ts';
import { workerCommand } from './commands/worker.ts';
import { rulesCommand } from './rules/rules-command.ts';
import type { Terminal } from './terminal.ts';
import { version } from './version.ts';

/** Every command, one file each. */
const commands: readonly ((program: Command, terminal: Terminal) => void)[] = [
  serveCommand,
  configCommand,
  workerCommand,
  quoteCommand,
  underwriteCommand,
  rulesCommand,
  bookCommand,
  coastCommand,
  placesCommand,
  organizationCommand,
  teamCommand,
  producerCommand,
  appointmentCommand,
  carrierCommand,
  tokenCommand,
];

export function createProgram(terminal: Terminal): Command {
  const program = new Command('leeward')
    .description('Home insurance: which carriers would take a home, and why.')
    .version(version)
    .configureOutput({ writeOut: terminal.write, writeErr: terminal.writeError })
    .showHelpAfterError('(leeward --help shows what there is)')
    .exitOverride();
  for (const add of commands) add(program, terminal);
  for (const command of program.commands) command.copyInheritedSettings(program);
  return program;
}
