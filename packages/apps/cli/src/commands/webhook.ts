import { InvalidQuoteRequestError, openWebhooks, type Webhooks } from '@leeward/quotes';
import type { Command } from 'commander';
import { listOption } from '../accounts/list-option.ts';
import { type PrintOptions, printItem, printItems } from '../accounts/print-items.ts';
import { commandLine, withAccounts } from '../accounts/with-accounts.ts';
import { CommandError } from '../command-error.ts';
import { keepingSettings } from '../quotes/keeping-settings.ts';
import { readSettings } from '../settings/read-settings.ts';
import type { Terminal } from '../terminal.ts';

interface AddOptions extends PrintOptions {
  readonly team: string;
  readonly description?: string;
  readonly events?: readonly string[];
}

interface ReplayOptions extends PrintOptions {
  readonly since: string;
  readonly quote?: string;
}

/** `leeward webhook …`: endpoints that receive events of a team's quotes. */
export function webhookCommand(group: Command, terminal: Terminal): void {
  const json = (command: Command) => command.option('--json', 'print JSON');
  json(group.command('add'))
    .description('Have a team’s events sent to an address. Its secret is shown this once.')
    .argument('<url>', 'an https:// address on the public internet')
    .requiredOption('--team <id>', 'whose quotes')
    .option('--description <text>', 'what it is')
    .addOption(
      listOption(
        '--events <types>',
        'rate.ended, rate.changed, quote.completed, quote.affected, home.verdicts_changed (default all)',
      ),
    )
    .action(async (url: string, { team, description, events, ...options }: AddOptions) => {
      const created = await atWebhooks(terminal, { action: 'create' }, async (webhooks, hasTeam) => {
        if (!(await hasTeam(team))) throw new CommandError(`There is no team ${team}; see leeward team list.`);
        return webhooks.create(team, { url, description, event_types: events as never });
      });
      printItem(created, options, terminal);
    });
  json(group.command('list'))
    .description('List the webhooks of a team, and how they fare.')
    .requiredOption('--team <id>', 'whose webhooks')
    .action(async ({ team, ...options }: AddOptions) => {
      const items = await atWebhooks(terminal, undefined, (webhooks) => webhooks.list(team));
      printItems(items, ['webhook_id', 'url', 'state', 'waiting', 'last_failure'], options, terminal);
    });
  const onWebhook = (
    name: 'remove' | 'rotate' | 'enable' | 'test',
    description: string,
    run: (webhooks: Webhooks, id: string) => Promise<object | undefined>,
  ) =>
    json(group.command(name))
      .description(description)
      .argument('<webhook-id>', 'as it is listed')
      .action(async (id: string, options: PrintOptions) => {
        printItem(
          await atWebhooks(terminal, { action: name, webhookId: id }, (webhooks) => run(webhooks, id)),
          options,
          terminal,
        );
      });
  onWebhook('remove', 'Stop sending to it.', async (webhooks, webhook_id) =>
    (await webhooks.remove(webhook_id)) ? { webhook_id } : undefined,
  );
  onWebhook('rotate', 'Give it a new secret; the one so far is good for another day.', async (webhooks, webhook_id) => {
    const rotated = await webhooks.rotate(webhook_id);
    return rotated && { webhook_id, ...rotated };
  });
  onWebhook('enable', 'Send to a disabled one again.', (webhooks, id) => webhooks.enable(id));
  onWebhook('test', 'Send a signed test message to it, now.', (webhooks, id) => webhooks.test(id));
  json(group.command('replay'))
    .description('Send again what happened, under the same ids.')
    .argument('<webhook-id>', 'as it is listed')
    .requiredOption('--since <instant>', 'as 2026-11-20T12:00:00Z')
    .option('--quote <id>', 'of this quote alone')
    .action(async (id: string, { since, quote, ...options }: ReplayOptions) => {
      const done = await atWebhooks(terminal, { action: 'replay', webhookId: id }, (webhooks) =>
        webhooks.replay(id, { since, quote_request_id: quote }),
      );
      printItem(done, options, terminal);
    });
}

/** Does something with the webhooks of the database; what it does to one of them is on the record. */
async function atWebhooks<Result extends object>(
  terminal: Terminal,
  done: { readonly action: string; readonly webhookId?: string } | undefined,
  run: (webhooks: Webhooks, hasTeam: (teamId: string) => Promise<boolean>) => Promise<Result | undefined>,
): Promise<Result> {
  const { encryption, allowPrivateWebhooks, webhookPorts } = keepingSettings(readSettings(terminal, []).variables);
  return withAccounts({ terminal }, async ({ directory, auditTrail }, database) => {
    const webhooks = openWebhooks({
      database,
      encryption,
      allowPrivate: allowPrivateWebhooks,
      ports: webhookPorts,
    });
    const before = done?.webhookId === undefined ? undefined : await webhooks.read(done.webhookId);
    const hasTeam = async (teamId: string) => (await directory.team(teamId)) !== undefined;
    const result = await run(webhooks, hasTeam).catch((error: unknown) => {
      if (!(error instanceof InvalidQuoteRequestError)) throw error;
      throw new CommandError(error.faults.map(({ message }) => message).join('\n'));
    });
    if (result === undefined) throw new CommandError('There is no such webhook; see leeward webhook list --team.');
    if (done !== undefined) {
      const { webhook_id, team_id } = { ...before, ...result } as { webhook_id: string; team_id: string };
      await auditTrail.record({
        actor: commandLine,
        organizationId: (await directory.team(team_id))?.organizationId ?? null,
        action: `webhooks.${done.action}`,
        subjectId: webhook_id,
      });
    }
    return result;
  });
}
