import type { Command } from 'commander';
import { listOption } from '../accounts/list-option.ts';
import { CommandError } from '../command-error.ts';
import { readServeSettings, type ServeOptions } from '../serve/serve-settings.ts';
import type { Settings } from '../settings/read-settings.ts';
import type { Setting } from '../settings/setting.ts';
import { type SettingKey, settingsTable } from '../settings/settings-table.ts';
import { withoutSecrets } from '../settings/without-secrets.ts';
import { fittingTable } from '../table/fitting-table.ts';
import type { Terminal } from '../terminal.ts';

interface ConfigOptions extends ServeOptions {
  readonly json?: boolean;
}

/** `leeward config`: what a service would be started with. Opens nothing, and ends with 1 where a start would fail. */
export function configCommand(command: Command, terminal: Terminal): void {
  command
    .option('--config <file>', 'configuration file (LEEWARD_CONFIG)')
    .option('--carriers <folder>', 'as of serve')
    .option('--host <host>', 'as of serve')
    .option('--port <port>', 'as of serve')
    .addOption(listOption('--geocoder <names>', 'as of serve'))
    .option('--coastline <file...>', 'as of serve')
    .option('--demo', 'as of serve')
    .option('--allow-demo', 'as of serve')
    .option('--json', 'print JSON, with a description of each')
    .action(({ json, ...options }: ConfigOptions) => {
      const { settings, faults } = readServeSettings(options, terminal);
      const lines = linesOf(settings);
      terminal.write(json ? `${JSON.stringify({ settings: lines }, null, 2)}\n` : tableOf(lines, terminal));
      for (const variable of strangers(terminal)) {
        terminal.writeError(`${variable} is set, and no setting of this program.\n`);
      }
      if (faults.length > 0) throw new CommandError(`A service would not start with these:\n${faults.join('\n')}`);
    });
}

interface Line {
  readonly key: string;
  readonly variable: string;
  /** Null if unset and without default. */
  readonly value: string | null;
  readonly source: string | null;
  readonly where: string | null;
  readonly description: string;
}

function linesOf(settings: Settings): Line[] {
  return (Object.entries(settingsTable) as [SettingKey, Setting<unknown>][]).map(([key, setting]) => {
    const effective = settings.inForce(key);
    const { variable, description } = setting;
    const value = effective === undefined ? null : withoutSecrets(effective.text, setting);
    return { key, variable, value, source: effective?.source ?? null, where: effective?.where ?? null, description };
  });
}

function tableOf(lines: readonly Line[], terminal: Terminal): string {
  const head = ['setting', 'in force', 'from', 'environment'];
  const rows = lines.map(({ key, value, where, variable }) => [key, value ?? '', where ?? '', variable]);
  return `${fittingTable({ head, rows }, terminal)}\n`;
}

/** Unknown variables with our prefix: a misspelt variable would otherwise be ignored silently. */
function strangers({ environment }: Terminal): string[] {
  const knownNames = new Set([
    'LEEWARD_CONFIG',
    'LEEWARD_URL',
    'LEEWARD_TOKEN',
    ...Object.values(settingsTable).map(({ variable }) => variable),
  ]);
  return Object.keys(environment)
    .filter((name) => name.startsWith('LEEWARD_') && environment[name] && !knownNames.has(name as never))
    .sort();
}
