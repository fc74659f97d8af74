import { Option } from 'commander';

/** An option with comma-separated values. It may be repeated. */
export function listOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text: string, before: readonly string[] | undefined) => [
    ...(before ?? []),
    ...text
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
  ]);
}
