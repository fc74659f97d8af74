import { type FactEntry, type RuleReference, ruleReference } from '@leeward/authoring';
import { homeVocabulary } from '@leeward/engine';
import { didYouMean } from '@leeward/terms';
import type { KnownLines } from '../lines/known-lines.ts';
import type { Terminal } from '../terminal.ts';
import { factInWords, referencePage } from './reference-page.ts';
import { WrongUse } from './wrong-use.ts';

export const referenceFormats = ['text', 'json', 'markdown'] as const;

/** `rules reference`: every fact, operator, outcome and code there is, or one fact. */
export function reference(
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
