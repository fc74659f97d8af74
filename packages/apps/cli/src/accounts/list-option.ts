import { Option } from 'commander';

/** An option whose values stand behind commas, or that is given several times. */
export function listOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text: string, before: readonly string[] | undefined) => [
    ...(before ?? []),
    ...text
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
  ]);
}
