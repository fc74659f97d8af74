import type { FactEntry, RuleReference } from '@leeward/authoring';
import type { OfferTerm } from '@leeward/engine/vocabulary';

/** The whole reference as one Markdown page. */
export function referencePage(reference: RuleReference): string {
  const { line, facts, operators, decorators, outcomes, codes, terms, lists, sources, policyTypes } = reference;
  return `# Facts, operators and codes of a rule set

<!-- Made by \`leeward rules reference --format markdown\`: edit the vocabulary, not this page. -->

For the line \`${line}\`. \`leeward rules reference FACT\` prints one fact; an editor with the
[JSON Schema](authoring-guide.md#1-begin-one-minute) shows the same while you type. The
[guide for underwriters](authoring-guide.md) explains how to start.

## Outcomes

${table(
  ['outcome', 'what it does'],
  outcomes.map(({ name, meaning }) => [code(name), meaning]),
)}
The worst outcome of all rules that hold is the answer. A missing field is unknown, not false.

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
  ['operator', 'holds if the fact …'],
  operators.map(({ name, words }) => [code(name), `${words} the value`]),
)}
An operator may have a prefix, as in json-rules-engine: ${decorators.map((each) => code(`${each}:`)).join(', ')}. Examples: \`not:lessThan\`, \`someFact:in\`.

## Conditions

A condition is one of: \`all\` (every one of a list), \`any\` (at least one), \`not\`, \`condition\` (the name of a shared condition), or a test with
\`fact\`, \`operator\` and \`value\`. The condition of a rule must be one of the first four. A range needs two tests in an \`all\`:

\`\`\`json
{ "all": [{ "fact": "acreage", "operator": "greaterThan", "value": 5 }, { "fact": "acreage", "operator": "lessThanInclusive", "value": 20 }] }
\`\`\`

Shared conditions are defined once under \`conditions\`. Rules and other shared conditions use them by name:

\`\`\`json
{ "conditions": { "old wiring": { "any": [{ "fact": "primary_wiring", "operator": "in", "value": ["cloth", "knob and tube"] }] } } }
\`\`\`

## Places

A program lists \`states\` by lower-case abbreviation. If it does not write all counties of a state, \`counties\` includes or excludes some:

\`\`\`json
{ "states": ["tx", "la"], "counties": { "tx": { "exclude": ["galveston", "brazoria"] }, "la": { "include": ["22033", "st. tammany"] } } }
\`\`\`

Write counties by FIPS code or by name. Capitals, dots, "County" and "Parish" are optional: \`St. Johns County\`, \`saint johns\`. If a county and a
city share a name (Baltimore, St. Louis, Fairfax, Franklin, Richmond, Roanoke), the name alone means both. In a test of \`county\`, add the
state: \`"jefferson, tx"\`.

## Moratoria

A moratorium stops binding between two instants, each with an offset. \`until\` is the first instant after it, or null while it has no end. Without
places it applies everywhere.

\`\`\`json
{ "id": "storm", "from": "2026-09-24T17:00:00-05:00", "until": null, "states": ["la"], "counties": { "la": { "include": ["orleans"] } }, "policy_types": ["ho3"], "message": "Binding is suspended." }
\`\`\`

${termSection(terms)}${listSection(lists)}${evidenceSection(sources)}${areaSection()}## Decision tables

\`leeward rules import table.csv\` reads one rule per row. The columns \`id\`, \`outcome\`, \`code\`, \`message\` and \`terms\` describe the rule. Every other column is a fact,
and its cells are comparisons:

${table(
  ['cell', 'meaning'],
  [
    ['', 'any value'],
    [code('> 15'), 'more than 15; also `<`, `>=`, `<=`, `=`, `!=`'],
    [code('30+'), '30 and more'],
    [code('150000..1000000'), 'a range, both ends included'],
    [code('metal | tile'), 'one of these'],
    [code('not rental'), 'anything else'],
  ],
)}
## Codes

One of these, or your own with the prefix \`x_\`: ${codes.map(code).join(', ')}.

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
    `  Field of requests: ${requestName}.`,
    `  Example: ${JSON.stringify(example)}`,
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

function listSection(lists: RuleReference['lists']): string {
  if (lists.length === 0) return '';
  const tables = lists.map(({ name, description, maxItems, fields }) => {
    const rows = fields.flatMap((field) => {
      const words = field.kind === 'word' ? ` One of: ${field.words.join(', ')}.` : '';
      const unit = field.kind === 'number' && field.unit !== undefined ? `, ${field.unit}` : '';
      const range = field.kind === 'number' ? ` ${field.min} to ${field.max}.` : '';
      const row = [code(field.name), `${field.kind}${unit}`, `${field.description}${words}${range}`];
      const age =
        field.kind === 'date' ? [[code(field.age), 'number, years', 'Complete years at the effective date.']] : [];
      return [row, ...age];
    });
    return `### \`${name}\`\n\n${description} Maximum: ${maxItems}.\n\n${table(['field', 'kind', 'meaning'], rows)}`;
  });
  return `## Lists

A test can count the items of a list, or take the \`sum\`, \`min\` or \`max\` of a number of them:

\`\`\`json
{ "count": "losses", "where": { "fact": "kind", "operator": "equal", "value": "water" }, "operator": "greaterThan", "value": 1 }
{ "max": "losses", "of": "amount", "where": { "fact": "age_years", "operator": "lessThan", "value": 3 }, "operator": "greaterThan", "value": 15000 }
\`\`\`

Instead of a constant, \`value\` can be arithmetic with \`add\`, \`subtract\`, \`multiply\`, \`percent_of\`, \`min\` and \`max\`:

\`\`\`json
{ "fact": "dwelling_a", "operator": "lessThan", "value": { "multiply": [150, { "fact": "square_feet" }] } }
\`\`\`

${tables.join('\n')}
`;
}

function evidenceSection(sources: RuleReference['sources']): string {
  return `## Evidence

A value can have a date and a source: \`"roof_age": { "value": 12, "as_of": "2024-05-01", "source": "inspection" }\`. Every field, set and list has
two more facts: \`roof_age.evidence_age_years\` is the number of complete years since the date, and \`roof_age.source\` is a word.

\`\`\`json
{ "fact": "primary_wiring.source", "operator": "in", "value": ["electrician", "inspection"] }
{ "fact": "primary_wiring.evidence_age_years", "operator": "lessThan", "value": 5 }
\`\`\`

Sources: ${sources.map(code).join(', ')}, or your own with the prefix \`x_\`.

`;
}

function areaSection(): string {
  return `## Areas

A file can name areas: GeoJSON polygons, lines and points with \`within_miles\`, lists of ZIP codes, and GeoJSON files next to the rule file.

\`\`\`json
{ "areas": {
    "bay": { "type": "Polygon", "coordinates": [[[-95.2, 29.3], [-94.8, 29.3], [-94.8, 29.7], [-95.2, 29.3]]] },
    "freeway": { "file": "areas/freeway.geojson", "within_miles": 2 },
    "closed": { "zipcodes": ["77550-77554", "775*"] } } }
\`\`\`

Tests name them. \`location\` has the operators \`within\` (a part of the building) and \`entirelyWithin\`, alone or after \`not:\`; \`miles_to\` is the
distance from the nearest part of the building, 0 inside:

\`\`\`json
{ "fact": "location", "operator": "within", "value": "bay" }
{ "miles_to": "freeway", "operator": "lessThan", "value": 5 }
\`\`\`

`;
}

function termSection(terms: RuleReference['terms']): string {
  if (terms.length === 0) return '';
  return `## Terms

A rule with the outcome \`offer\` lists \`terms\` by name. A number has \`min\`, \`max\` or both; a word is one word or a list of those that
remain; a flag is \`true\`. Terms that are not registered begin with \`x_\`.

${table(
  ['term', 'what it is', 'value'],
  terms.map((term) => [code(term.name), term.label, termValue(term)]),
)}
A value can come from a table by a fact with numbers. The first step whose \`below\` exceeds the fact applies; the last may omit it.
In a table, words and flags are written as \`value\`.

\`\`\`json
{ "terms": { "named_storm_deductible_percent": { "by": "distance_to_coast_miles", "steps": [{ "below": 1, "min": 5 }, { "min": 2 }] } } }
\`\`\`

`;
}

function termValue(term: OfferTerm): string {
  if (term.kind === 'flag') return 'true';
  if (term.kind === 'word') return term.words.map(code).join(', ');
  return `${term.min} to ${term.max.toLocaleString('en-US')}${term.unit ? ` ${term.unit}` : ''}`;
}
