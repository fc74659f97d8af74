import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { carriersOf, checkCases } from '@leeward/authoring';
import { nearPath } from '../../near-path.ts';
import type { Terminal } from '../../terminal.ts';
import { usable } from '../diff.ts';
import { casesBeside, readJson } from '../rule-set-files.ts';
import { exitWith, WrongUse } from '../wrong-use.ts';
import { comparedInWords } from './compared-words.ts';
import { type RegistryOptions, withRegistry } from './registry-access.ts';

interface ReplayOptions extends RegistryOptions {
  readonly max: string;
}

interface PromoteOptions extends RegistryOptions {
  readonly policyType?: string;
  readonly note?: string;
}

/** `rules replay`: lists saved decisions that a version answers differently. Exits with 1 if there are any. */
export async function replay(version: string, options: ReplayOptions, terminal: Terminal): Promise<void> {
  const max = /^\d{1,5}$/.test(options.max) ? Number(options.max) : Number.NaN;
  if (!(max <= 10_000)) throw new WrongUse(`--max is "${options.max}"; give a number from 0 to 10000.`);
  const { organization, format } = options;
  const isId = /^[a-z0-9]{26}$/.test(version);
  const body = {
    ...(isId ? { rule_set_id: version } : { rule_set: usable(version, 'text', terminal).json.value }),
    ...(organization === undefined ? {} : { organization_id: organization }),
    max_changes: max,
  };
  await withRegistry(options, terminal, async (ask) => {
    const answer = await ask('ruleSets', 'replay', body);
    if (format === 'json') terminal.write(`${JSON.stringify(answer)}\n`);
    else {
      terminal.write(comparedInWords(answer, 'saved decision'));
      for (const { id, policy_type: type, state, before, after, rule_ids: ruleIds } of answer.changes) {
        const place = `${type} in ${state.toUpperCase()}`;
        terminal.write(`  ${id}: ${place}, ${inWords(before)} becomes ${inWords(after)} (${ruleIds.join(', ')})\n`);
      }
      if (answer.homes === 0) {
        terminal.write('No saved decision includes this carrier; LEEWARD_CAPTURE sets the share that is saved.\n');
      }
    }
    if (answer.changed > 0 || answer.not_judged.length > 0) exitWith(1);
  });
}

function inWords({ status, codes }: { readonly status: string; readonly codes: readonly string[] }): string {
  return codes.length === 0 ? status : `${status} [${codes.join(', ')}]`;
}

/** `rules promote`: adds a saved decision as a case next to a rule set. Exits with 1 if the rule set disagrees. */
export async function promote(
  decision: string,
  path: string,
  options: PromoteOptions,
  terminal: Terminal,
): Promise<void> {
  const { folder } = terminal;
  const { ruleSet, path: file } = usable(path, 'text', terminal);
  const casesPath = casesBeside(file) ?? join(dirname(resolve(folder, path)), 'cases.json');
  const cases = casesBeside(file) === undefined ? { text: '[]', count: 0 } : listIn(casesPath, folder);
  const body = {
    decision_id: decision,
    carrier_key: ruleSet.carrierKey,
    ...(options.policyType === undefined ? {} : { policy_type: options.policyType }),
    ...(options.note === undefined ? {} : { note: options.note }),
  };
  await withRegistry(options, terminal, async (ask) => {
    const { case: entry, simplified } = await ask('savedDecisions', 'get', body);
    writeFileSync(casesPath, withCase(cases.text, cases.count, entry));
    const [carrier] = carriersOf([{ ruleSet, source: 'catalog' }]);
    const { findings } = await checkCases(carrier!, [entry]);
    const name = nearPath(casesPath, folder);
    if (options.format === 'json') terminal.write(`${JSON.stringify({ written: name, case: entry, simplified })}\n`);
    else {
      terminal.write(`${name}: case ${cases.count + 1} was added.\n`);
      for (const each of simplified) terminal.write(`  ${each}.\n`);
      for (const { message } of findings) terminal.write(`  ${nearPath(file, folder)} disagrees: ${message}\n`);
    }
    if (findings.length > 0) exitWith(1);
  });
}

function listIn(path: string, folder: string): { readonly text: string; readonly count: number } {
  const { json, name } = readJson(path, folder);
  if (!json || !Array.isArray(json.value)) throw new WrongUse(`${name} is not a list of cases; fix it first.`);
  return { text: readFileSync(path, 'utf8'), count: json.value.length };
}

/** Appends an entry to the text of a list. Existing text is unchanged. */
function withCase(list: string, count: number, entry: unknown): string {
  const open = list.trimEnd().slice(0, -1).trimEnd();
  const added = JSON.stringify(entry, null, 2).replace(/^/gm, '  ');
  return `${open}${count === 0 ? '' : ','}\n${added}\n]\n`;
}
