import type { RequestItemField } from '@leeward/engine/vocabulary';
import { readNumber } from './written-value.ts';

/** An item of a list as typed, by field; without empty answers. */
export type TypedItem = Readonly<Record<string, string>>;

/** Parses items from the JSON of the form or of an address; undefined if it is not a list of objects. */
export function readItems(text: string | undefined): readonly TypedItem[] | undefined {
  try {
    const items: unknown = JSON.parse(text ?? '');
    if (!Array.isArray(items) || items.some((item) => typeof item !== 'object' || item === null)) return undefined;
    return items.map((item: object) =>
      Object.fromEntries(Object.entries(item).map(([name, value]) => [name, String(value)])),
    );
  } catch {
    return undefined;
  }
}

/** True if a list has items: each of them may lack answers. */
export const hasItems = (text: string | undefined): boolean => (readItems(text)?.length ?? 0) > 0;

/** Items as a request has them. Answers that cannot be read stay as typed, so that the service can report the fault. */
export function writeItems(
  items: readonly TypedItem[] | undefined,
  fields: readonly RequestItemField[],
): readonly object[] | undefined {
  return items?.map((item) =>
    Object.fromEntries(
      Object.entries(item).flatMap(([name, typed]): [string, unknown][] => {
        const text = typed.trim();
        return text === ''
          ? []
          : [
              [
                name,
                readAnswer(
                  text,
                  fields.find((field) => field.name === name),
                ),
              ],
            ];
      }),
    ),
  );
}

function readAnswer(text: string, field: RequestItemField | undefined): unknown {
  const kind = field?.kind;
  if (kind === 'number') return readNumber(text, { unit: field?.unit, integer: true }) ?? text;
  if (kind === 'flag') return text === 'true' || (text === 'false' ? false : text);
  return kind === 'date' ? readPartialDate(text) : text;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * Reads a date, or the month or year of one, as people in the United States write it: `3/14/2025`, `March 14, 2025`, `3/2025`,
 * `Mar 2025`, `2025`. Other text stays unchanged.
 */
export function readPartialDate(text: string): string {
  const write = (year: string, month: string, day?: string) =>
    [year, month, ...(day === undefined ? [] : [day])].map((part) => part.padStart(2, '0')).join('-');
  const year = '(\\d{4})';
  const iso = new RegExp(`^${year}[-/.](\\d{1,2})(?:[-/.](\\d{1,2}))?$`).exec(text);
  if (iso) return write(iso[1]!, iso[2]!, iso[3]);
  const american = new RegExp(`^(\\d{1,2})[-/.](?:(\\d{1,2})[-/.])?${year}$`).exec(text);
  if (american) return write(american[3]!, american[1]!, american[2]);
  const named =
    new RegExp(`^([a-z]{3,9})\\.?\\s+(?:(\\d{1,2})(?:st|nd|rd|th)?,?\\s+)?${year}$`, 'i').exec(text) ??
    /^(?<day>\d{1,2})\s+(?<month>[a-z]{3,9})\.?\s+(?<year>\d{4})$/i.exec(text);
  if (!named) return text;
  const { groups } = named;
  const month = months.indexOf((groups?.['month'] ?? named[1]!).slice(0, 3).toLowerCase());
  if (month < 0) return text;
  return write(groups?.['year'] ?? named[3]!, String(month + 1), groups?.['day'] ?? named[2]);
}
