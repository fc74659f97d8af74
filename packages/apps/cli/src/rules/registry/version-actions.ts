import { resolve } from 'node:path';
import { requestOfProperty } from '@leeward/authoring';
import { writtenValueReader } from '@leeward/books';
import { homeVocabulary, type Vocabulary } from '@leeward/engine';
import type { RuleSetItem, WholeRuleSetItem } from '@leeward/registry';
import { describeRecognized, openRows } from '@leeward/rows';
import { createRowReader } from '../../book/read-book-row.ts';
import { lineOfFieldFile } from '../../lines/import-line.ts';
import { fieldFileBeside, knownLines, linesOn } from '../../lines/known-lines.ts';
import { openLinesOn } from '../../lines/lines-on.ts';
import { lineNamesIn, readSettings } from '../../settings/read-settings.ts';
import type { Terminal } from '../../terminal.ts';
import { locate } from '../located-finding.ts';
import { count } from '../print-findings.ts';
import { casesBeside, findRuleSetFiles, readRuleSet, readWithAreas } from '../rule-set-files.ts';
import { exitWith, WrongUse } from '../wrong-use.ts';
import { comparedInWords, indented } from './compared-words.ts';
import { type RegistryOptions, withRegistry } from './registry-access.ts';

interface ProposeOptions extends RegistryOptions {
  readonly note?: string;
  readonly book?: string;
}

interface StepOptions extends RegistryOptions {
  readonly revision?: string;
  readonly why?: string;
}

/** `rules push` and `rules propose`: files, or a version that is there, to the registry. */
export async function sendVersions(
  verb: 'push' | 'propose',
  inputPaths: readonly string[],
  options: ProposeOptions,
  terminal: Terminal,
): Promise<void> {
  const { folder } = terminal;
  const { organization, note } = options;
  const common = {
    ...(organization === undefined ? {} : { organization_id: organization }),
    ...(note === undefined ? {} : { note }),
  };
  const isId = verb === 'propose' && inputPaths.length === 1 && /^[a-z0-9]{26}$/.test(inputPaths[0]!);
  const paths = isId ? [] : findRuleSetFiles(inputPaths, folder);
  const names = lineNamesIn(readSettings(terminal, []));
  const lines = names === undefined ? knownLines : linesOn(await openLinesOn(names, folder));
  const [{ vocabulary = homeVocabulary } = {}] = paths.map((path) => readRuleSet(path, folder, lines));
  const book = options.book === undefined ? {} : { book: await readPolicies(options.book, vocabulary, terminal) };
  const bodies = isId
    ? [{ rule_set_id: inputPaths[0]!, ...book, ...(note === undefined ? {} : { note }) }]
    : paths.map((path) => {
        const cases = casesBeside(path);
        return {
          ...common,
          ...book,
          rule_set: contentsOf(path, terminal),
          ...(cases === undefined ? {} : { cases: contentsOf(cases, terminal) }),
        };
      });
  const fieldFiles = [...new Set(paths.flatMap((path) => fieldFileBeside(path) ?? []))];
  const withFields = { ...options, lines: fieldFiles.map((path) => `${lineOfFieldFile(path)}+${path}`) };
  await withRegistry(withFields, terminal, async (ask) => {
    for (const body of bodies) {
      if (verb === 'push') printVersion(await ask('ruleSets', 'push', body), options, terminal);
      else printProposal(await ask('ruleSets', 'propose', body), options, terminal);
    }
  });
}

/** `rules approve`: of the revision that was read, or of the one there is. */
export async function approve(
  id: string,
  { revision, why: note, ...options }: StepOptions,
  terminal: Terminal,
): Promise<void> {
  await withRegistry(options, terminal, async (ask) => {
    const read =
      revision === undefined ? (await ask('ruleSets', 'get', { rule_set_id: id })).revision : Number(revision);
    const body = { rule_set_id: id, revision: read, ...(note === undefined ? {} : { note }) };
    printVersion(await ask('ruleSets', 'approve', body), options, terminal);
  });
}

export async function withdraw(id: string, { why, ...options }: StepOptions, terminal: Terminal): Promise<void> {
  await withRegistry(options, terminal, async (ask) => {
    const body = { rule_set_id: id, ...(why === undefined ? {} : { why }) };
    printVersion(await ask('ruleSets', 'withdraw', body), options, terminal);
  });
}

export async function rollback(
  carrierKey: string,
  { why, ...options }: StepOptions,
  terminal: Terminal,
): Promise<void> {
  const { organization } = options;
  await withRegistry(options, terminal, async (ask) => {
    const body = {
      carrier_key: carrierKey,
      ...(organization === undefined ? {} : { organization_id: organization }),
      ...(why === undefined ? {} : { why }),
    };
    const answer = await ask('ruleSets', 'rollback', body);
    if (options.format === 'json') {
      terminal.write(`${JSON.stringify(answer)}\n`);
      return;
    }
    terminal.write(`${carrierKey}: ${versionsInWords(answer.versions)}\n`);
  });
}

/** `rules status`: what is in force, what waits, and what stops. */
export async function status(
  carrierKey: string | undefined,
  options: RegistryOptions,
  terminal: Terminal,
): Promise<void> {
  const { organization } = options;
  await withRegistry(options, terminal, async (ask) => {
    const body = {
      ...(carrierKey === undefined ? {} : { carrier_key: carrierKey }),
      ...(organization === undefined ? {} : { organization_id: organization }),
    };
    const answer = await ask('ruleSets', 'status', body);
    if (options.format === 'json') {
      terminal.write(`${JSON.stringify(answer)}\n`);
      return;
    }
    const { publication, published_at: at, carriers, proposed, moratoria } = answer;
    terminal.write(publication === 0 ? 'Nothing was published.\n' : `Publication ${publication}, ${at}.\n`);
    for (const each of carriers) terminal.write(`  ${each.carrier_key}: ${versionsInWords(each.versions)}\n`);
    if (proposed.length > 0) terminal.write('Proposed:\n');
    for (const each of proposed) terminal.write(`  ${lineOf(each)}\n`);
    if (moratoria.length > 0) terminal.write('Moratoria:\n');
    for (const { moratorium_id: id, moratorium, carrier_keys: keys } of moratoria) {
      terminal.write(`  ${moratorium.id} (${id}): ${keys === null ? 'all carriers' : keys.join(', ')}\n`);
    }
  });
}

function contentsOf(path: string, terminal: Terminal): unknown {
  const { file: read, areaFaults } = readWithAreas(resolve(terminal.folder, path), terminal.folder);
  const { json, name, findings } = read;
  if (json !== undefined && areaFaults.length === 0) return json.value;
  const located = json ? areaFaults.map((fault) => locate(fault, name, json)) : findings;
  for (const { file, line, message } of located) terminal.writeError(`${file}:${line}: ${message}\n`);
  exitWith(1);
}

function printVersion(item: RuleSetItem | WholeRuleSetItem, { format }: RegistryOptions, terminal: Terminal): void {
  terminal.write(format === 'json' ? `${JSON.stringify(item)}\n` : `${lineOf(item)}\n`);
  if (format !== 'json' && item.four_eyes) terminal.write(`  Four eyes: ${proofs[item.four_eyes]}.\n`);
}

/** Proof of an approval, in words. */
const proofs = { people: 'two people', tokens: 'two tokens, which does not prove two people' } as const;

function printProposal(item: WholeRuleSetItem, options: RegistryOptions, terminal: Terminal): void {
  printVersion(item, options, terminal);
  const { review } = item;
  if (options.format === 'json' || review === null) return;
  const { cases, unexplained, changes } = review;
  const open = Object.entries(unexplained).flatMap(([severity, number]) =>
    number === 0 ? [] : [count(number, severity)],
  );
  const failing = cases.failures.length;
  terminal.write(
    `  ${count(cases.run, 'case')}, ${failing === 0 ? 'all as expected' : `${failing} otherwise than expected`}.\n`,
  );
  terminal.write(`  Not explained in the file: ${open.length === 0 ? 'nothing' : open.join(', ')}.\n`);
  terminal.write(`  ${count(changes.length, 'change')} from the version in force.\n`);
  for (const { message } of changes.slice(0, 10)) terminal.write(`    ${message}\n`);
  if (review.saved) terminal.write(indented(comparedInWords(review.saved, 'saved decision')));
  if (review.book) terminal.write(indented(comparedInWords(review.book, 'policy of the book', 'policies of the book')));
  terminal.write(
    `  Somebody else approves it: leeward rules approve ${item.rule_set_id} --revision ${item.revision}\n`,
  );
}

function lineOf({ rule_set_id: id, carrier, version, effective, status: is }: RuleSetItem): string {
  return `${carrier} ${version}, from ${effective.from}: ${is.replace('_', ' ')} (${id})`;
}

function versionsInWords(versions: readonly RuleSetItem[] | null): string {
  if (versions === null) return 'not of the registry; the folder’s, where there is one';
  if (versions.length === 0) return 'withdrawn';
  return versions.map(({ version, effective }) => `${version} from ${effective.from}`).join(', ');
}

/** The policies of a book as requests: without addresses, their distances looked up here. CSV or NDJSON. */
async function readPolicies(path: string, vocabulary: Vocabulary, terminal: Terminal): Promise<unknown[]> {
  const asOf = new Date();
  const file = await openRows(resolve(terminal.folder, path), { name: path });
  const names = file.format === 'csv' ? file.columns.map((column) => column.toLowerCase()) : [];
  const { readRow: read } = createRowReader(asOf, vocabulary, terminal);
  const policies: unknown[] = [];
  let unread = 0;
  const refuse = (line: number, message: string) => {
    unread++;
    terminal.writeError(`${path}:${line}: ${message}\n`);
  };
  for await (const { line, cells, value, fault } of file.rows) {
    if (fault) {
      refuse(line, fault.message);
      continue;
    }
    const home = await read(cells ? bodyOf(names, cells, vocabulary) : value, []);
    if (home.ok) policies.push(requestOfProperty(home.property));
    else refuse(line, home.faults.map(({ message }) => message).join(' '));
  }
  for (const sentence of describeRecognized(path, file.recognized())) terminal.writeError(`${sentence}\n`);
  if (unread === 0 && policies.length > 0) return policies;
  const what = policies.length === 0 ? 'no policy could be read' : `${count(unread, 'line')} could not be read`;
  throw new WrongUse(`${path}: ${what}; fix it, so that the review counts the whole file.`);
}

/** A row as a request, its numbers and dates read as books write them. */
function bodyOf(names: readonly string[], cells: readonly string[], vocabulary: Vocabulary): Record<string, unknown> {
  // A name may be that of a prototype.
  return Object.fromEntries(
    names.flatMap((name, index) => {
      const cell = cells[index] ?? '';
      const read = writtenValueReader(name, vocabulary);
      return cell === '' ? [] : [[name, read ? read(cell) : cell]];
    }),
  );
}
