import type { FactEntry, RuleReference } from '@leeward/authoring';

/** The whole reference as one Markdown page. */
export function referencePage(reference: RuleReference): string {
  const { line, facts, operators, decorators, outcomes, codes, policyTypes } = reference;
  return `# What can be written into a rule set

<!-- Made by \`leeward rules reference --format markdown\`: edit the vocabulary, not this page. -->

For the line \`${line}\`. \`leeward rules reference FACT\` prints one fact; an editor that knows the
[JSON Schema](authoring-guide.md#1-begin-one-minute) shows the same as you type. How to begin is told in the
[guide for underwriters](authoring-guide.md).

## Outcomes

${table(
  ['outcome', 'what it does'],
  outcomes.map(({ name, meaning }) => [code(name), meaning]),
)}
The worst outcome of all rules that hold is the answer. What nobody said is unknown, not false.

## Facts

${table(
  ['fact', 'what it is', 'operators'],
  facts.map((fact) => [
    code(fact.name),
    [fact.sentence, fact.meaning].filter(Boolean).join(' '),
    operatorsInShort(fact),
  ]),
)}
Order is \`lessThan\`, \`lessThanInclusive\`, \`greaterThan\`, \`greaterThanInclusive\`; equality is \`equal\`, \`notEqual\`; a list is \`in\`,
\`notIn\`. A value may also be another fact: \`{ "fact": "year_built" }\`.

## Operators

${table(
  ['operator', 'it holds where the fact …'],
  operators.map(({ name, words }) => [code(name), `${words} the value`]),
)}
Before an operator may stand ${decorators.map((each) => code(`${each}:`)).join(', ')}, as in json-rules-engine: \`not:lessThan\`, \`someFact:in\`.

## Conditions

A condition is one of: \`all\` (every one of a list), \`any\` (at least one), \`not\`, \`condition\` (the name of a shared condition), or a test with
\`fact\`, \`operator\` and \`value\`. A rule begins with one of the first four. Between two limits is two tests in an \`all\`:

\`\`\`json
{ "all": [{ "fact": "acreage", "operator": "greaterThan", "value": 5 }, { "fact": "acreage", "operator": "lessThanInclusive", "value": 20 }] }
\`\`\`

Shared conditions stand once under \`conditions\`, by name, and are named by rules and by one another:

\`\`\`json
{ "conditions": { "old wiring": { "any": [{ "fact": "primary_wiring", "operator": "in", "value": ["cloth", "knob and tube"] }] } } }
\`\`\`

## Places

A program names \`states\` by their lower-case abbreviations and, where it does not write all of one, \`counties\` by state: \`include\` or \`exclude\`.

\`\`\`json
{ "states": ["tx", "la"], "counties": { "tx": { "exclude": ["galveston", "brazoria"] }, "la": { "include": ["22033", "st. tammany"] } } }
\`\`\`

Counties are named as people do, whatever the capitals, dots, "County" or "Parish": \`St. Johns County\`, \`saint johns\`; or by FIPS code. Where a name
means a county and a city (Baltimore, St. Louis, Fairfax, Franklin, Richmond, Roanoke), the name alone means both. In a test of \`county\` the state
stands with it: \`"jefferson, tx"\`.

## Moratoria

A dated stop, by instants with an offset; \`until\` is the first instant after it, null while it is open. Without places it stops everything.

\`\`\`json
{ "id": "storm", "from": "2026-09-24T17:00:00-05:00", "until": null, "states": ["la"], "counties": { "la": { "include": ["orleans"] } }, "policy_types": ["ho3"], "message": "Binding is suspended." }
\`\`\`

## Decision tables

\`leeward rules import table.csv\` reads one rule a row. Columns \`id\`, \`outcome\`, \`code\` and \`message\`; every other column is a fact, and a cell compares it:

${table(
  ['cell', 'means'],
  [
    ['', 'any value'],
    [code('> 15'), 'more than 15; also `<`, `>=`, `<=`, `=`, `!=`'],
    [code('30+'), '30 and more'],
    [code('150000..1000000'), 'between the two, both included'],
    [code('metal | tile'), 'one of these'],
    [code('not rental'), 'anything else'],
  ],
)}
## Codes

One of these, or \`x_…\` of your own: ${codes.map(code).join(', ')}.

## Policy types

${policyTypes.map(code).join(', ')}.
`;
}

/** One fact, for a terminal. */
export function factInWords(fact: FactEntry): string {
  const { name, sentence, meaning, usual, operators, requestName, example } = fact;
  const lines = [
    name,
    `  ${sentence}`,
    ...(meaning === undefined || meaning === sentence ? [] : [`  ${meaning}`]),
    ...(usual ? [`  Limits are usually between ${print(usual.min)} and ${print(usual.max)}.`] : []),
    `  Operators: ${operators.join(', ')}.`,
    `  Requests give it as ${requestName}.`,
    `  For example: ${JSON.stringify(example)}`,
  ];
  return `${lines.join('\n')}\n`;
}

function print(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
}

function operatorsInShort({ kind, operators }: FactEntry): string {
  if (kind === 'set') return operators.map(code).join(', ');
  return operators.includes('lessThan') ? 'order, equality, list' : 'equality, list';
}

function code(text: string): string {
  return text === '' ? '' : `\`${text.replaceAll('|', '\\|')}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return `${line(head)}${line(head.map(() => '---'))}${rows.map(line).join('')}`;
}
