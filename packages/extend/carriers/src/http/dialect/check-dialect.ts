import { didYouMean, type Fault, quoteValue } from '@leeward/terms';
import { isDateFormat, isSameKind } from './convert.ts';
import type { DialectEntry, DialectFile } from './schema.ts';

/** Except those of its shape. @param nameFaults For names in a template. */
export function dialectFaults(
  dialect: DialectFile,
  nameFaults: (name: string, path: string) => readonly Fault[],
): Fault[] {
  const faults: Fault[] = [];
  if ((dialect.format === 'xml') !== (dialect.root !== undefined)) {
    faults.push({
      path: '/dialect/root',
      code: 'invalid_value',
      message: 'XML requires "root"; JSON must not have it.',
    });
  }
  const tables = Object.keys(dialect.tables ?? {});
  for (const [index, entry] of dialect.request.entries()) {
    const at = `/dialect/request/${index}`;
    faults.push(...entryFaults(entry, at, tables));
    if (entry.field !== undefined) faults.push(...nameFaults(entry.field, `${at}/field`));
    const clash = dialect.request.findIndex(
      (other) => other !== entry && (other.path === entry.path || other.path.startsWith(`${entry.path}/`)),
    );
    if (clash >= 0) {
      const message = `${entry.path} is also written by the entry ${clash} (${dialect.request[clash]!.path}); use different paths.`;
      faults.push({ path: `${at}/path`, code: 'written_twice', message });
    }
    if (dialect.format === 'xml') {
      const step = entry.path
        .slice(1)
        .split('/')
        .find((each) => !/^(?:@?[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?|\d{1,3}|#text)$/.test(each));
      if (step !== undefined)
        faults.push({
          path: `${at}/path`,
          code: 'invalid_name',
          message: `${quoteValue(step)} is not a name of an element or an @attribute.`,
        });
    }
    if (/\/(?:__proto__|constructor|prototype|\d{4,})(?:\/|$)/.test(entry.path)) {
      faults.push({
        path: `${at}/path`,
        code: 'invalid_name',
        message: `${quoteValue(entry.path)} has a forbidden step.`,
      });
    }
  }
  return faults;
}

function entryFaults(entry: DialectEntry, at: string, tables: readonly string[]): Fault[] {
  const { field, constant, table, unit, date, words } = entry;
  const faults: Fault[] = [];
  const fault = (key: string, code: string, message: string) => faults.push({ path: at + key, code, message });
  if ((field === undefined) === (constant === undefined)) {
    fault('', 'field_or_constant', 'An entry needs exactly one of "field" and "constant".');
  }
  const ways = [table, unit, date, words].filter((way) => way !== undefined);
  if (ways.length > 1) fault('', 'several_ways', 'An entry can use only one of "table", "unit", "date" and "words".');
  if (table !== undefined && !tables.includes(table)) {
    fault(
      '/table',
      'unknown_table',
      `${quoteValue(table)} is not a table of this dialect; use one of: ${tables.join(', ') || 'none'}.${didYouMean(table, tables)}`,
    );
  }
  if (unit !== undefined && !isSameKind(unit.from, unit.to)) {
    fault('/unit/to', 'another_kind', `${unit.from} cannot be converted to ${unit.to}.`);
  }
  if (date !== undefined && !isDateFormat(date)) {
    fault('/date', 'invalid_date_format', `${quoteValue(date)} must contain YYYY, MM and DD once each.`);
  }
  return faults;
}
