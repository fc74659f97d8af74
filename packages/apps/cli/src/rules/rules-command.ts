import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  type DmnExport,
  type FactEntry,
  printRuleSet,
  type RuleReference,
  ruleReference,
  startingRuleSet,
  toDmn,
} from '@leeward/authoring';
import { homeVocabulary, ruleSetJsonSchema } from '@leeward/engine';
import { didYouMean, suggest } from '@leeward/terms';
import { type Command, CommanderError, Option } from 'commander';
import { eventsOption } from '../homes/read-events.ts';
import { type KnownLines, lineOption, openKnownLines } from '../lines/known-lines.ts';
import { makeFolder } from '../make-folder.ts';
import { nearPath } from '../near-path.ts';
import type { Terminal } from '../terminal.ts';
import { mistakeOf } from '../user-mistake.ts';
import { analyse } from './analyse.ts';
import { check } from './check.ts';
import { conformance } from './conformance.ts';
import { coverage } from './coverage.ts';
import { diff, usable } from './diff.ts';
import { importRules } from './import.ts';
import { count, type Format, printFindings } from './print-findings.ts';
import { factInWords, referencePage } from './reference-page.ts';
import { addRegistryCommands } from './registry/registry-commands.ts';
import { reportFormats } from './report/format.ts';
import { signOff } from './sign-off.ts';
import { type CarrierWords, ownLine, startOptions } from './start-options.ts';
import { watching } from './watching.ts';
import { exportRules } from './workbook/export.ts';
import { writeOutput } from './write-output.ts';
import { exitWith, WrongUse } from './wrong-use.ts';

/** `leeward rules …`: what the people who write rules need. Exit 0: done; 1: faults were found; 2: wrong use. */
export function rulesCommand(rules: Command, terminal: Terminal): void {
  const add = (name: string, description: string, formats: readonly string[] = ['text', 'json']): Command => {
    return rules
      .command(name)
      .description(description)
      .addOption(new Option('--format <format>', 'how to print').choices(formats).default('text'))
      .exitOverride(asWrongUse);
  };
  /** Says wrong use in a sentence and ends with 2. */
  const run =
    <Words extends unknown[]>(action: (...words: Words) => void | Promise<void>) =>
    async (...words: Words): Promise<void> => {
      try {
        await action(...words);
      } catch (error) {
        const message = error instanceof WrongUse ? error.message : mistakeOf(error, terminal.folder)?.message;
        if (message === undefined) throw error;
        terminal.writeError(`leeward rules: ${message.trimEnd()}\n`);
        throw new CommanderError(2, 'leeward.wrongUse', message);
      }
    };

  const linesOf = ({ line }: { readonly line?: string }) => openKnownLines(line, terminal.folder);
  /** Like `run`, with the lines of `--line`. */
  const withLines = <Argument, Options extends { readonly line?: string }>(
    action: (argument: Argument, options: Options, lines: KnownLines) => void | Promise<void>,
  ) => run(async (argument: Argument, options: Options) => action(argument, options, await linesOf(options)));

  add('check', 'Check format, vocabulary and cases; report every fault with its line.', reportFormats)
    .argument('<path...>', 'rule-set files, or folders to search for them')
    .option(...lineOption)
    .option('--law <file...>', 'check against these law files, too')
    .option('--watch', 'check again whenever a file changes, until it is stopped')
    .action(
      withLines((paths: string[], options, lines) =>
        watching([...paths, ...(options.law ?? [])], options, terminal, () => check(paths, options, terminal, lines)),
      ),
    );

  add('analyse', 'Find likely mistakes in rules, each with an example home.', reportFormats)
    .argument('<path...>', 'rule-set files, or folders to search for them')
    .option('--as-of <date>', 'date or instant that ages and homes are reckoned at (default now)')
    .option('--fail-on <codes>', 'exit 1 where one of these is found: codes or severities, comma-separated, or any')
    .option('--all-overlaps', 'also pairs of rules that test no field in common')
    .option('--boxes <count>', 'how many boxes the searches of one rule set may look at (default 2000000)')
    .option(...lineOption)
    .option('--watch', 'analyse again whenever a file changes, until it is stopped')
    .action(
      withLines((paths: string[], options, lines) =>
        watching(paths, options, terminal, () => analyse(paths, options, terminal, lines)),
      ),
    );

  add('diff', 'Say which homes two versions answer otherwise, and which rules were added, removed and edited.', [
    ...reportFormats,
    'html',
  ])
    .argument('<old>', 'a rule-set file')
    .argument('<new>', 'the same carrier, changed')
    .option(...lineOption)
    .option('--as-of <date>', 'date or instant that both are compared at (default now)')
    .option('--book <file>', 'policies as homes, CSV or NDJSON: which of them move')
    .action(
      run(async (older: string, newer: string, options) =>
        diff(older, newer, options, terminal, await linesOf(options)),
      ),
    );

  add('explain', 'Explain the answer for a home, condition by condition, and what would change it.')
    .argument('<rule-set>', 'a rule-set file')
    .argument('<home>', 'the home, as a request has it; - for standard input')
    .option(...lineOption)
    .option('--policy-type <type>', 'ask for one policy type')
    .option('--as-of <date>', 'date or time of evaluation, for homes without one (default now)')
    .option(...eventsOption)
    .action(
      run(async (ruleSet: string, home: string, options) => {
        // It alone reads homes as the HTTP API does, and loads that.
        const { explain } = await import('./explain.ts');
        return explain(ruleSet, home, options, terminal, await linesOf(options));
      }),
    );

  add('coverage', 'Say which rules, outcomes and limits the cases reach.', [...reportFormats, 'html'])
    .argument('<path...>', 'rule-set files, or folders to search for them')
    .option(...lineOption)
    .option('--suggest [file]', 'write cases for what is missed, both sides of each limit')
    .option('--as-of <date>', 'date or time of suggested cases (default now)')
    .option('--fail-on <codes>', 'exit 1 where one of these is found: codes or severities, comma-separated, or any')
    .action(withLines((paths: string[], options, lines) => coverage(paths, options, terminal, lines)));

  add('sign-off', 'Write the approval report: findings, allowances, cases, coverage and changes on one printable page.')
    .argument('<rule-set>', 'a rule-set file')
    .option(...lineOption)
    .requiredOption('--out <file>', 'the page, a name that ends in .html')
    .option('--base <rule-set>', 'the version before: what changes')
    .option('--book <file>', 'policies as homes, CSV or NDJSON: which of them move')
    .option('--as-of <date>', 'date or instant that it is examined at (default now)')
    .action(withLines((ruleSet: string, options, lines) => signOff(ruleSet, options, terminal, lines)));

  const carrier = (command: Command): Command =>
    command
      .option(...lineOption)
      .option('--key <key>', 'key of the carrier, like bayou_mutual (default my_carrier)')
      .option('--name <name>', 'name of the carrier')
      .option('--state <states>', 'where it writes, like tx or tx,la (default tx)')
      .option('--from <date>', 'first effective date (default today, in the main time zone of the first state)');

  carrier(add('new', 'Begin a rule set: small, commented, with cases.'))
    .argument('<folder>', 'folder to write rule-set.json and cases.json to')
    .action(withLines((folder: string, options, lines) => startNew(folder, options, terminal, lines)));

  carrier(
    add(
      'import',
      'Make a rule set of a workbook, of json-rules-engine rules, or of decision tables. Exit 1 where something is left out.',
    ),
  )
    .argument(
      '<file>',
      'a workbook (.xlsx), rules (.json), DMN tables (.dmn), or a table with one rule a row (CSV or NDJSON)',
    )
    .option('--policy-type <types>', 'what it offers, like ho3 or ho3,dp3 (default ho3, or the first of the line)')
    .option(
      '--outcome <event=outcome...>',
      'what an event or output means, like deny=decline or accept=otherwise:decline',
    )
    .option(
      '--fact <theirs=ours...>',
      'what a fact of json-rules-engine rules or DMN tables is called here, like roofAge=roof_age',
    )
    .option('--without-cases', 'take a workbook that has no sheet of cases')
    .option('--out <file>', 'write the rule set there (default standard output); its folder is made if there is none')
    .action(withLines((file: string, options, lines) => importRules(file, options, terminal, lines)));

  const exportFormats = ['text', 'json', 'dmn'];
  add('export', 'Write a rule set and its cases as a workbook, or the rules as DMN decision tables.', exportFormats)
    .argument('<rule-set>', 'a rule-set file')
    .option(...lineOption)
    .requiredOption('--out <file>', 'the workbook, which import reads again: NAME.xlsx; with --format dmn: NAME.dmn')
    .action(
      withLines((ruleSet: string, options, lines) =>
        options.format === 'dmn'
          ? exportDmn(ruleSet, options.out, terminal, lines)
          : exportRules(ruleSet, options, terminal, lines),
      ),
    );

  addRegistryCommands(add, run, terminal);

  add('conformance', 'Hold this engine to a corpus of the rule format: cases that any implementation answers alike.')
    .argument('<corpus>', 'a file such as packages/extend/authoring/conformance/rule-format-1.json')
    .action(run((corpus: string, options) => conformance(corpus, options, terminal)));

  add('schema', 'Print the JSON Schema of rule sets, for editors.')
    .option(...lineOption)
    .action(run(async (options) => schema(terminal, await linesOf(options))));

  add(
    'reference',
    'Say what can be tested: every fact with its unit, bounds, operators and an example.',
    referenceFormats,
  )
    .argument('[fact]', 'one fact, like roof_age')
    .option(...lineOption)
    .action(withLines((fact: string | undefined, options, lines) => reference(fact, options, terminal, lines)));

  // Commander would exit with 1, so a hidden command catches unknown words.
  rules
    .usage('<command>')
    .argument('[words...]')
    .allowUnknownOption()
    .action(() => {
      const [word] = rules.args;
      if (word !== undefined) {
        const names = rules.commands.map((command) => command.name());
        const near = suggest(word, names);
        const suggestion = near === undefined ? '' : ` Did you mean ${near}?`;
        terminal.writeError(
          `leeward rules: there is no command ${word}; there are: ${names.join(', ')}.${suggestion}\n`,
        );
      } else rules.outputHelp({ error: true });
      exitWith(2);
    });
  rules.helpCommand(false);
}

/** Commander ends with 1 where a command line does not fit; here that would mean faults in a rule set. */
function asWrongUse(error: CommanderError): never {
  throw error.exitCode === 0 ? error : new CommanderError(2, error.code, error.message);
}

/** `rules export --format dmn`: writes a rule set as DMN 1.4 decision tables, and lists what is not in them. */
function exportDmn(path: string, out: string, terminal: Terminal, lines: KnownLines): void {
  const target = resolve(terminal.folder, out);
  if (!/\.dmn$/i.test(target)) throw new WrongUse(`--out is "${out}"; give a name that ends in .dmn.`);
  if (existsSync(target)) throw new WrongUse(`${out} exists already; nothing was written.`);
  const { ruleSet, vocabulary } = usable(path, 'text', terminal, lines);
  const { xml, omitted } = toDmn(ruleSet, vocabulary);
  writeOutput(target, xml);
  const rows = xml.match(/<rule id=/g)?.length ?? 0;
  terminal.write([`Wrote ${out}: ${count(rows, 'row')}.`, ...omittedLines(omitted), ''].join('\n'));
}

function omittedLines({ moratoria, rules, terms, contradictions, tiers }: DmnExport['omitted']): string[] {
  const line = (label: string, values: readonly string[]) =>
    values.length === 0 ? [] : [`Not in the tables: ${label} ${values.join(', ')}.`];
  return [
    'Not in the tables: the effective dates.',
    ...line('the moratoria', moratoria),
    ...rules.map(({ id, reason }) => `Not in the tables: the rule ${id}. ${reason}`),
    ...line('the terms of', terms),
    ...line(
      'referrals for contradicting terms of',
      contradictions.map(({ offers }) => offers.join(' and ')),
    ),
    ...(tiers.length === 0
      ? []
      : [`Evaluate the tables once for each tier, given as "tier", and take the best status: ${tiers.join(', ')}.`]),
  ];
}

/** `rules new`: a commented starting set with cases, in a folder; it overwrites nothing. */
function startNew(
  folder: string,
  options: CarrierWords & { readonly format: Format },
  terminal: Terminal,
  lines: KnownLines,
): void {
  const { ruleSet, cases } = startingRuleSet(startOptions(options, terminal, lines));
  const path = resolve(terminal.folder, folder);
  const files = [
    [join(path, 'rule-set.json'), printRuleSet(ruleSet)],
    [join(path, 'cases.json'), printRuleSet(cases)],
  ] as const;
  const existing = files.find(([file]) => existsSync(file));
  if (existing) throw new WrongUse(`${nearPath(existing[0], terminal.folder)} exists already; nothing was written.`);
  makeFolder(path, 'name another one');
  for (const [file, text] of files) writeFileSync(file, text);
  const names = files.map(([file]) => nearPath(file, terminal.folder));
  if (options.format === 'json') printFindings([], 'json', terminal, { written: names });
  else terminal.write(`Wrote ${names.join(' and ')}. Next: leeward rules check ${folder}${ownLine(lines, terminal)}\n`);
}

const referenceFormats = ['text', 'json', 'markdown'] as const;

/** `rules reference`: every fact, operator, outcome and code there is, or one fact. */
function reference(
  fact: string | undefined,
  { format }: { readonly format: (typeof referenceFormats)[number] },
  terminal: Terminal,
  lines: KnownLines,
): void {
  const all = ruleReference(lines.requested ?? homeVocabulary);
  const facts = fact === undefined ? all.facts : [findFact(fact, all)];
  if (format === 'json') {
    const wireForm = fact === undefined ? wireReference(all) : wireFact(facts[0]!);
    terminal.write(`${JSON.stringify(wireForm, null, 2)}\n`);
  } else if (format === 'markdown' && fact === undefined) terminal.write(referencePage(all));
  else terminal.write(facts.map(factInWords).join('\n'));
}

function findFact(name: string, { facts, line }: RuleReference): FactEntry {
  const matchingFact = facts.find((each) => each.name === name.trim().toLowerCase());
  if (matchingFact) return matchingFact;
  const names = facts.map((each) => each.name);
  const hint = didYouMean(name, names);
  throw new WrongUse(
    `"${name}" is not a fact of the line ${line}.${hint === '' ? ` There are: ${names.join(', ')}.` : hint}`,
  );
}

function wireFact({ requestName, ...fact }: FactEntry) {
  return { ...fact, request_name: requestName };
}

function wireReference({ policyTypes, facts, ...others }: RuleReference) {
  return { ...others, policy_types: policyTypes, facts: facts.map(wireFact) };
}

/** `rules schema`: the JSON Schema of the format, which is JSON in either format. */
function schema(terminal: Terminal, lines: KnownLines): void {
  terminal.write(`${JSON.stringify(ruleSetJsonSchema(lines.requested ?? homeVocabulary), null, 2)}\n`);
}
