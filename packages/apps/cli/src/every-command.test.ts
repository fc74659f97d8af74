import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from './program.ts';
import { processTerminal } from './terminal.ts';
import { runWords } from './testing/run-words.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

const top = (await createProgram(processTerminal(), [])).commands
  .map((command) => command.name())
  .filter((name) => name !== 'completion' && name !== 'complete');

/** Retired commands are not shown; they only name what replaces them. */
function shownCommands(command: Command): Command[] {
  const shown = command.createHelp().visibleCommands(command);
  return shown.filter((each) => command.commands.includes(each));
}

async function leaves(): Promise<(readonly [string, Command])[]> {
  const within = (command: Command, path: string): (readonly [string, Command])[] =>
    command.commands.length === 0
      ? [[path, command]]
      : shownCommands(command).flatMap((each) => within(each, `${path} ${each.name()}`));
  const programs = await Promise.all(
    top.map(async (name) => [name, await createProgram(processTerminal(), [name])] as const),
  );
  return programs.flatMap(([name, { commands }]) => within(commands.find((each) => each.name() === name)!, name));
}
const all = await leaves();

it('there are many', () => {
  expect(all.length).toBeGreaterThan(50);
});

describe.each(all)('leeward %s', (path, command) => {
  const words = path.split(' ');

  it('describes itself with --help', async () => {
    const { code, output, errors } = await runWords([...words, '--help']);
    expect([code, errors]).toEqual([0, '']);
    expect(output).toContain(`Usage: leeward ${path}`);
    for (const { long, hidden } of command.options) if (!hidden) expect(output).toContain(long!);
    // Terminal sequences need a terminal.
    expect(output).not.toContain('\u001b');
  });

  it('exits 2 for an unknown option, and suggests the likely one', async () => {
    const option = command.options.find(({ long }) => long!.length > 6)?.long ?? '--help';
    const needed = command.options.filter(({ mandatory }) => mandatory).flatMap(({ long }) => [long!, 'x']);
    const { code, output, errors } = await runWords([...words, ...needed, `${option}s`]);
    expect([code, output]).toEqual([2, '']);
    expect(errors).toContain(`unknown option '${option}s'`);
    expect(errors).toContain(option);
    expect(errors).not.toContain('    at ');
  });

  it('takes --format json and --json alike, or neither', () => {
    const has = (long: string) => command.options.find((each) => each.long === long);
    const format = has('--format');
    const prints = format === undefined || (format.argChoices ?? []).includes('json');
    if (prints) expect(Boolean(has('--json'))).toBe(format !== undefined);
  });
});

const fileArguments = new Set(['file', 'files', 'path', 'rule-set', 'corpus', 'first', 'old']);

describe.each(all.filter(([, { registeredArguments }]) => fileArguments.has(registeredArguments[0]?.name() ?? '')))(
  'leeward %s of a missing file',
  (path, { registeredArguments, options }) => {
    it('exits 2 and names the file', async () => {
      using folder = temporaryFolder();
      const out = { 'rules sign-off': 'x.html', 'rules export': 'x.xlsx' }[path] ?? 'x';
      const given: Record<string, string> = { '--old': 'nowhere.json', '--new': 'nowhere.json', '--out': out };
      const needed = options.filter(({ mandatory }) => mandatory).flatMap(({ long }) => [long!, given[long!] ?? 'x']);
      const names = registeredArguments.map(() => 'nowhere.json');
      const run = await runWords([...path.split(' '), ...needed, ...names], { folder: folder.path });
      expect({ code: run.code, errors: run.errors }).toEqual({
        code: 2,
        errors: expect.stringContaining('nowhere.json'),
      });
    });
  },
);

it.each([
  [['serv'], 'serve'],
  [['rules', 'chek'], 'check'],
  [['coast', 'neer'], 'near'],
  [['token', 'craete'], 'create'],
])('%j: did you mean %s?', async (words, meant) => {
  const { code, errors } = await runWords(words);
  expect(code).toBe(2);
  expect(errors).toContain(`Did you mean ${meant}?`);
});

it.each([
  [['nosuch', '--help'], 'nosuch'],
  [['rules', 'nosuch', '--help'], 'nosuch'],
  [['-h', 'nosuch'], 'nosuch'],
  [['help', 'nosuch'], 'nosuch'],
  [['serv', '--help'], 'serv'],
])('%j ends with 2 and names the unknown command', async (words, named) => {
  const { code, output, errors } = await runWords(words);
  expect([code, output]).toEqual([2, '']);
  expect(errors).toContain(named);
  expect(errors).not.toContain('Usage:');
});

it('wraps errors between words', async () => {
  const words = ['coast', 'near', '51.5', '-0.12'];
  const { errors } = await runWords(words, { columns: 60 });
  expect(errors.trimEnd().split('\n').length).toBeGreaterThan(1);
  expect(errors.split('\n').filter((line) => line.length > 60)).toEqual([]);
});

it.each([[['--help']], [['help']], [['rules', '--help']], [['help', 'rules']], [['serve', '-h']]])(
  '%j prints help',
  async (words) => {
    const { code, output, errors } = await runWords(words);
    expect([code, errors]).toEqual([0, '']);
    expect(output).toContain('Usage: leeward');
  },
);
