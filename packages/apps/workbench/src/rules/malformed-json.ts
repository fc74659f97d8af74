import { type ParseError, printParseErrorCode } from 'jsonc-parser';

/** A fault of JSON text, with the range to mark. */
export interface MalformedJson {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

/** Sentences by parser code, without the line. `@` is the text at the fault. */
const sentences: Readonly<Record<string, string>> = {
  InvalidSymbol: '@ is not a value of JSON. Write keys and text in double quotes.',
  InvalidNumberFormat: '@ is not a number.',
  PropertyNameExpected: 'a key in double quotes is missing.',
  ValueExpected: 'a value is missing.',
  ColonExpected: 'a colon is missing after the key.',
  CommaExpected: 'a comma is missing.',
  CloseBraceExpected: 'a closing brace } is missing.',
  CloseBracketExpected: 'a closing bracket ] is missing.',
  EndOfFileExpected: 'the rule set ends before this. Remove the rest.',
  InvalidCommentToken: 'JSON has no comments. Remove this one.',
  UnexpectedEndOfComment: 'JSON has no comments. Remove this one.',
  UnexpectedEndOfString: 'the closing double quote is missing.',
  UnexpectedEndOfNumber: 'the number is not complete.',
  InvalidUnicode: '\\u needs four hexadecimal digits.',
  InvalidEscapeCharacter: 'this character cannot follow a backslash. Write \\\\ for a backslash.',
  InvalidCharacter: 'a line break or a tab is inside a text. Write it as \\n or \\t.',
};

/** Codes for something missing before the fault. */
const isBefore = /^(PropertyName|Value|Colon|Comma|CloseBrace|CloseBracket)Expected$/;
const MAX_QUOTED = 20;

/** Describes an error with its line. Without an error the text is empty. */
export function describeMalformed(text: string, error: ParseError | undefined): MalformedJson {
  if (error === undefined || text.trim() === '') return { from: 0, to: text.length, message: 'The text is empty.' };
  const code = printParseErrorCode(error.error);
  const read = text.slice(error.offset, error.offset + error.length);
  // The parser stops at the token after a gap: mark the text before it.
  const end = text.slice(0, error.offset).trimEnd().length;
  const from = isBefore.test(code) && end > 0 ? end - 1 : error.offset;
  const to = from === error.offset ? Math.min(text.length, from + Math.max(1, error.length)) : end;
  const line = text.slice(0, from).split('\n').length;
  const isTrailing = text[from] === ',' && from < error.offset && /^[}\]]/.test(read);
  const sentence = isTrailing
    ? 'nothing follows this comma. Remove it.'
    : (sentences[code] ?? 'the text is not JSON.').replace('@', () => quote(read));
  return { from, to, message: `Line ${line}: ${sentence}` };
}

function quote(read: string): string {
  const [first = ''] = read.split('\n');
  return first.length > MAX_QUOTED ? `${first.slice(0, MAX_QUOTED)} …` : first;
}
