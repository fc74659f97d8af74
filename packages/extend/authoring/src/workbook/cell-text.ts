import { canonicalJson, quoteValue } from '@leeward/terms';
import { readTermsText, writeTermsText } from './terms-text.ts';
import type { SheetCell } from './workbook.ts';

/** Form of a value in a cell: unchanged, as a list `a | b`, as a date or `open` for null, as counties by state, or as terms. */
export type CellForm = 'value' | 'list' | 'until' | 'counties' | 'terms';

export type ReadCell = { readonly value: unknown } | { readonly fault: string } | 'missing';

/** Writes a value for `readCell`: in the form of the column if possible, else as JSON. */
export function writeCell(value: unknown, form: CellForm): SheetCell {
  const plain = plainCell(value, form);
  const isSafe = typeof plain !== 'string' || plain.search(escapes) < 0;
  if (plain !== undefined && plain !== null && isSafe) {
    const again = readCell(plain, form);
    if (again !== 'missing' && 'value' in again && canonicalJson(again.value) === canonicalJson(value)) return plain;
  }
  return jsonCell(value);
}

/** Avoids the escape sequences of spreadsheet files, such as `_x000D_`. */
export function jsonCell(value: unknown): string {
  return JSON.stringify(value).replaceAll(escapes, '\\u005f');
}

const escapes = /_(?=x[0-9a-f]{4}_)/gi;

function plainCell(value: unknown, form: CellForm): SheetCell | undefined {
  if (form === 'until' && value === null) return 'open';
  if (form === 'counties') return writeCounties(value);
  if (form === 'terms') return writeTermsText(value);
  if (form === 'list') return Array.isArray(value) ? value.map(String).join(' | ') : undefined;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}

/** Reads a cell: text that starts like JSON is JSON, a date without a time is `YYYY-MM-DD`, other values are unchanged. */
export function readCell(cell: SheetCell | undefined, form: CellForm): ReadCell {
  if (cell === null || cell === undefined) return 'missing';
  if (cell instanceof Date) {
    const text = cell.toISOString();
    if (text.endsWith('T00:00:00.000Z')) return inForm(text.slice(0, 10), form);
    return { fault: 'The cell holds a date with a time of day; write it as text.' };
  }
  if (typeof cell !== 'string') return inForm(cell, form);
  const text = cell.trim();
  if (text === '') return 'missing';
  if (form === 'until' && text.toLowerCase() === 'open') return { value: null };
  if (!/^[[{"]/.test(text) && !/^(null|true|false)$/.test(text)) {
    if (form === 'list') return { value: text.split('|').map((word) => wordOrNumber(word.trim())) };
    if (form === 'terms') return readTermsText(text);
    return form === 'counties' ? readCounties(text) : { value: text };
  }
  try {
    const value = JSON.parse(text) as unknown;
    const twice = repeatedKey(text);
    if (twice === undefined) return { value };
    return { fault: `The key ${quoteValue(twice)} occurs twice here, and only the last would count. Keep one.` };
  } catch {
    return {
      fault: 'The cell starts like JSON but is not valid JSON. Correct it, or write the words without quotation marks.',
    };
  }
}

/** In a column of lists, a single value is a list of one. */
function inForm(value: unknown, form: CellForm): ReadCell {
  return { value: form === 'list' && !Array.isArray(value) ? [value] : value };
}

function wordOrNumber(word: string): string | number {
  return String(Number(word)) === word && Number.isFinite(Number(word)) ? Number(word) : word;
}

const selection = /^([a-z]{2})\s*:\s*(only|all but)\s+(.+)$/i;
const words = { include: 'only', exclude: 'all but' } as const;

/** `tx: all but galveston | chambers`, one line per state. */
function writeCounties(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const lines = Object.entries(value as Record<string, Record<string, unknown>>).map(([state, chosen]) => {
    const [entry] = Object.entries(chosen);
    return entry && `${state}: ${words[entry[0] as 'include'] ?? '?'} ${[entry[1]].flat().join(' | ')}`;
  });
  return lines.includes(undefined) ? undefined : lines.join('\n');
}

function readCounties(text: string): ReadCell {
  const counties: Record<string, Record<string, string[]>> = {};
  for (const line of text.split(/[\n;]/).filter((each) => each.trim() !== '')) {
    const [, state, which, names] = selection.exec(line.trim()) ?? [];
    if (state === undefined || Object.hasOwn(counties, state)) {
      return {
        fault: 'Write counties one line per state, like "tx: all but galveston | chambers" or "la: only orleans".',
      };
    }
    counties[state] = {
      [which!.toLowerCase() === 'only' ? 'include' : 'exclude']: names!.split('|').map((name) => name.trim()),
    };
  }
  return { value: counties };
}

/** The first key that occurs twice in one object of a JSON text. */
function repeatedKey(json: string): string | undefined {
  /** Keys of each enclosing object; null for a list. */
  const open: (Set<string> | null)[] = [];
  const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]]/gs;
  for (let token = tokens.exec(json); token; token = tokens.exec(json)) {
    const [text] = token;
    if (text === '{') open.push(new Set());
    else if (text === '[') open.push(null);
    else if (text === '}' || text === ']') open.pop();
    else if (isKey(json, tokens.lastIndex)) {
      const keys = open.at(-1);
      const key = JSON.parse(text) as string;
      if (keys?.has(key)) return key;
      keys?.add(key);
    }
  }
  return undefined;
}

function isKey(json: string, from: number): boolean {
  const colon = /\s*:/y;
  colon.lastIndex = from;
  return colon.test(json);
}
