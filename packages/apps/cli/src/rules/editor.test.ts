import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ruleSetJsonSchema } from '@leeward/engine';
import { describe, expect, it } from 'vitest';
import languageService, { type JSONSchema } from 'vscode-json-languageservice';

// Its names are not seen from outside its module.
const { getLanguageService, TextDocument } = languageService;

const fixtures = fileURLToPath(new URL('../../../../../fixtures/', import.meta.url));
const uri = 'https://unpkg.com/@leeward/engine/schema/rule-set-1.json';
const service = getLanguageService({});
service.configure({
  schemas: [{ uri, fileMatch: ['*'], schema: JSON.parse(JSON.stringify(ruleSetJsonSchema())) as JSONSchema }],
});

function opened(text: string) {
  const document = TextDocument.create('file:///rule-set.json', 'json', 1, text);
  return { document, json: service.parseJSONDocument(document) };
}

async function errorsOf(text: string) {
  const { document, json } = opened(text);
  const found = await service.doValidation(document, json);
  return found.map(({ message, range }) => ({ message, line: range.start.line + 1 }));
}

/** A rule set with one condition; `|` is the cursor. */
const written = (condition: string) => `{
  "format": 1,
  "carrier": { "key": "a", "name": "A" },
  "version": "1",
  "effective": { "from": "2026-01-01" },
  "rules": [{ "id": "a", "outcome": "decline", "code": "claims", "message": "No.", "when": { "all": [${condition}] } }],
  "programs": [{ "id": "p", "policy_types": ["ho3"], "states": ["tx"] }]
}`;

async function completions(text: string): Promise<string[]> {
  const offset = text.indexOf('|');
  const { document, json } = opened(text.replace('|', ''));
  const found = await service.doComplete(document, document.positionAt(offset), json);
  return found?.items.map(({ label }) => label.replaceAll('"', '')) ?? [];
}

async function hover(text: string): Promise<string> {
  const offset = text.indexOf('|');
  const { document, json } = opened(text.replace('|', ''));
  const found = await service.doHover(document, document.positionAt(offset), json);
  return JSON.stringify(found?.contents ?? '');
}

describe('an editor with the JSON Schema', () => {
  it.each(['carriers', 'real-guides'])('finds nothing wrong with the rule sets of fixtures/%s', async (folder) => {
    const errors: unknown[] = [];
    let count = 0;
    for (const file of readdirSync(`${fixtures}${folder}`, { recursive: true, encoding: 'utf8' })) {
      if (!/(^|[\\/])rule-set[^\\/]*\.json$/.test(file)) continue;
      count++;
      const found = await errorsOf(readFileSync(`${fixtures}${folder}/${file}`, 'utf8'));
      errors.push(...found.map((error) => ({ file, ...error })));
    }
    expect(errors).toEqual([]);
    expect(count).toBeGreaterThan(5);
  });

  it('marks what the format, the vocabulary or the kind of a field forbids', async () => {
    // Left to the check: faults that depend on other parts of the file, on counties or on meaning.
    const beyond =
      /condition-cycle|county|duplicate|empty-window|include-and|overlapping-tiers|program-overlap|unknown-condition|message-fact|unmapped|outcome-of-event|when-and-unless|missing-(message|when)|unknown-line/;
    const expected = readFileSync(`${fixtures}invalid-rule-sets/expected.ndjson`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { file: string; line: number });
    for (const { file, line } of expected) {
      if (beyond.test(file)) continue;
      const errors = await errorsOf(readFileSync(`${fixtures}invalid-rule-sets/${file}`, 'utf8'));
      expect({ file, lines: errors.map((error) => error.line) }).toEqual({
        file,
        lines: expect.arrayContaining([line]),
      });
    }
  });

  it('completes facts, operators by kind of field, words, states, codes and outcomes', async () => {
    expect(await completions(written('{ "fact": |, "operator": "equal", "value": 1 }'))).toEqual(
      expect.arrayContaining(['roof_age', 'distance_to_coast_miles', 'county']),
    );
    const orders = await completions(written('{ "fact": "roof_age", "operator": |, "value": 1 }'));
    expect(orders).toEqual(expect.arrayContaining(['greaterThan', 'in']));
    expect(orders).not.toContain('contains');
    const words = await completions(written('{ "fact": "roof_type", "operator": |, "value": "metal" }'));
    expect(words).toEqual(expect.arrayContaining(['equal', 'notIn']));
    expect(words).not.toContain('greaterThan');
    expect(await completions(written('{ "fact": "roof_type", "operator": "equal", "value": | }'))).toEqual(
      expect.arrayContaining(['3-tab shingle', 'metal']),
    );
    expect(await completions(written('{ "fact": "usage", "operator": "in", "value": [|] }'))).toEqual(
      expect.arrayContaining(['seasonal', 'vacant']),
    );
    expect(await completions(written('').replace('["tx"]', '[|]'))).toEqual(expect.arrayContaining(['tx', 'fl']));
    const counties = written('').replace('["tx"]', '["tx"], "counties": { "tx": { "exclude": [|] } }');
    const proposed = await completions(counties);
    expect(proposed).toEqual(expect.arrayContaining(['galveston', 'harris']));
    expect(proposed).not.toContain('orleans');
    expect(await completions(written('{ "fact": "county", "operator": "in", "value": [|] }'))).toEqual(
      expect.arrayContaining(['galveston, tx', 'orleans, la']),
    );
    expect(await completions(written('').replace('"claims"', '|'))).toEqual(
      expect.arrayContaining(['roof_age', 'wiring']),
    );
    expect(await completions(written('').replace('"decline"', '|'))).toEqual(
      expect.arrayContaining(['refer', 'require']),
    );
  });

  it('says what a fact is, in which unit', async () => {
    expect(
      await hover(written('{ "fact": "distance_to|_coast_miles", "operator": "lessThan", "value": 1 }')),
    ).toContain('in miles');
    expect(await hover(written('{ "fact": "roof_age", "operator": "greaterThan", "value": 1|5 }'))).toContain(
      'in years',
    );
  });

  it('marks an order of words, and an unknown word', async () => {
    const wrong = await errorsOf(written('\n{ "fact": "usage", "operator": "greaterThan", "value": "rental" }'));
    expect(wrong.length).toBeGreaterThan(0);
    const word = await errorsOf(written('\n{ "fact": "usage", "operator": "equal", "value": "rented" }'));
    expect(word[0]?.message).toContain('vacant');
  });
});
