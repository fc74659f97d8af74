import type { Command } from 'commander';
import type { Terminal } from '../../terminal.ts';
import { moratorium } from './moratorium-actions.ts';
import { promote, replay } from './saved-decision-actions.ts';
import { approve, rollback, sendVersions, status, withdraw } from './version-actions.ts';

type Add = (name: string, description: string) => Command;
type Run = <Words extends unknown[]>(
  action: (...words: Words) => void | Promise<void>,
) => (...words: Words) => Promise<void>;

/** Registry commands: publishing versions of rule sets, and moratoria. */
export function addRegistryCommands(add: Add, run: Run, terminal: Terminal): void {
  const registry = (name: string, description: string): Command =>
    add(name, description)
      .option('--url <url>', 'a service that runs, instead of its store (LEEWARD_URL)')
      .option('--token <token>', 'who asks (LEEWARD_TOKEN); in the store default the command line itself')
      .option('--carriers <folder>', 'carriers served in addition to the registry, to compare with (LEEWARD_CARRIERS)');
  const organization = (command: Command): Command =>
    command.option('--organization <id>', 'for its carriers (default the shared catalog)');
  const note = (command: Command): Command => command.option('--note <line>', 'why, kept with the version');
  const why = (command: Command): Command => command.option('--why <line>', 'why, kept in the audit log');

  note(organization(registry('push', 'Keep versions of rule sets in the registry, as drafts.')))
    .argument('<path...>', 'rule-set files, or folders to search for them')
    .action(run((paths: string[], options) => sendVersions('push', paths, options, terminal)));

  note(
    organization(
      registry('propose', 'Propose versions: runs the cases and shows the changes from the version in force.'),
    ),
  )
    .argument('<path...>', 'rule-set files or folders, or the identifier of a version that is kept')
    .option('--book <file>', 'policies as homes, CSV or NDJSON: how many of them move is kept with the review')
    .action(run((paths: string[], options) => sendVersions('propose', paths, options, terminal)));

  why(registry('approve', 'Approve a version that somebody else proposed: it is in force within two seconds.'))
    .argument('<id>', 'identifier of the version')
    .option('--revision <number>', 'the revision that was read (default the one there is)')
    .action(run((id: string, options) => approve(id, options, terminal)));

  why(registry('withdraw', 'Take a proposal back, or a version out of force.'))
    .argument('<id>', 'identifier of the version')
    .action(run((id: string, options) => withdraw(id, options, terminal)));

  why(organization(registry('rollback', 'Take the last change of a carrier back; again, the one before it.')))
    .argument('<carrier>', 'key of the carrier')
    .action(run((carrier: string, options) => rollback(carrier, options, terminal)));

  organization(
    registry(
      'replay',
      'List saved decisions that a version answers differently from the version in force. Exits with 1 if there are any.',
    ),
  )
    .argument('<version>', 'a rule-set file, or the identifier of a version that is kept')
    .option('--saved', 'of the decisions that a service has saved (LEEWARD_CAPTURE); there are no others')
    .option('--max <number>', 'maximum number of changes listed', '20')
    .action(run((version: string, options) => replay(version, options, terminal)));

  registry('promote', 'Make a saved decision a case of a rule set: what was answered is what is expected.')
    .argument('<decision>', 'identifier of the saved decision, as replay names it')
    .argument('<rule-set>', 'a rule-set file; the case is added to cases.json next to it')
    .option('--policy-type <type>', 'of the case, where the decision is of all')
    .option('--note <line>', 'what the case is called')
    .action(run((decision: string, ruleSet: string, options) => promote(decision, ruleSet, options, terminal)));

  organization(registry('status', 'Say what is in force, what waits for approval, and what stops.'))
    .argument('[carrier]', 'key of one carrier')
    .action(run((carrier: string | undefined, options) => status(carrier, options, terminal)));

  why(registry('moratorium', 'Stop carriers for a while without a new version: add, approve, withdraw, list.'))
    .argument('<step>', 'add, approve, withdraw or list')
    .argument('[id]', 'for add an id of your own, like gulf-storm; else the identifier')
    .option('--from <instant>', 'first instant, with an offset (default now; with --condition open)')
    .option('--until <instant>', 'first instant after it (default open)')
    .option('--states <states>', 'like tx,la (default all)')
    .option('--policy-types <types>', 'like ho3,ho5 (default all)')
    .option('--carrier-keys <keys>', 'carriers it stops (default all)')
    .option('--condition <file>', 'JSON file with when, unless or both: stops only while it holds')
    .option('--message <text>', 'text for users; {event} names the events of the condition')
    .option('--revision <number>', 'the revision that was read')
    .action(run((step: string, id: string | undefined, options) => moratorium(step, id, options, terminal)));
}
