import { type Command, Option } from 'commander';

/**
 * `--format json` and `--json` say the same wherever either is: whoever knows one command knows all. Where `--format` names the
 * format of a file, as of books, it stays that, and `--json` is for what is printed.
 */
export function withOneFormat(command: Command): void {
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
