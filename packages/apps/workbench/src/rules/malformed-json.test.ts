import { type ParseError, parseTree } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { describeMalformed } from './malformed-json.ts';

function describeText(text: string) {
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true });
  const { from, to, message } = describeMalformed(text, errors[0]);
  return [message, text.slice(from, to)];
}

describe('describeMalformed', () => {
  it.each([
    ['{\n  "a": 1\n\n  "b": 2\n}', 'Line 2: a comma is missing.', '1'],
    ['{\n  "a": [1 2]\n}', 'Line 2: a comma is missing.', '1'],
    ['{\n  "a": 1,\n}', 'Line 2: nothing follows this comma. Remove it.', ','],
    ['[\n  1,\n]', 'Line 2: nothing follows this comma. Remove it.', ','],
    ['{\n  "a" 1\n}', 'Line 2: a colon is missing after the key.', '"'],
    ['{\n  "a": \n}', 'Line 2: a value is missing.', ':'],
    ['{\n  "a": [1, 2\n', 'Line 2: a closing bracket ] is missing.', '2'],
    ['{\n  "a": 1\n', 'Line 2: a closing brace } is missing.', '1'],
    ['{\n  "a": yes\n}', 'Line 2: yes is not a value of JSON. Write keys and text in double quotes.', 'yes'],
    ["{\n  'a': 1\n}", "Line 2: 'a' is not a value of JSON. Write keys and text in double quotes.", "'a'"],
    ['{\n  "a": "b\n}', 'Line 2: the closing double quote is missing.', '"b'],
    ['{\n  // x\n  "a": 1\n}', 'Line 2: JSON has no comments. Remove this one.', '// x'],
    ['{}\n{}', 'Line 2: the rule set ends before this. Remove the rest.', '{'],
    ['{\n"a": 1.\n}', 'Line 2: the number is not complete.', '1.'],
    ['{\n"a": "\\q"\n}', 'Line 2: this character cannot follow a backslash. Write \\\\ for a backslash.', '"\\q"'],
    ['{\n"a": "\\u12"\n}', 'Line 2: \\u needs four hexadecimal digits.', '"\\u12"'],
    ['{\n"a": "\t"\n}', 'Line 2: a line break or a tab is inside a text. Write it as \\n or \\t.', '"\t"'],
    ['  \n', 'The text is empty.', '  \n'],
    ['', 'The text is empty.', ''],
  ])('describes %j with its line', (text, message, marked) => {
    expect(describeText(text)).toEqual([message, marked]);
  });
});
