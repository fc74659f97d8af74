import { readInteger } from '../integers.ts';

const bool = 16;
const int8 = 20;
const int2 = 21;
const int4 = 23;
const oid = 26;
const numeric = 1700;

const text = (value: string): string => value;
const integer = (value: string): unknown => (/^-?\d{1,19}$/.test(value) ? readInteger(BigInt(value)) : value);

/**
 * How columns are read: integers of every width as SQLite gives them, truth as 1 and 0 (SQLite has no other), a sum
 * of bigints (which PostgreSQL calls numeric) as an integer again, and everything else as the text it came as.
 */
export const postgresTypes = {
  getTypeParser(type: number, format?: string): (value: string) => unknown {
    if (format === 'binary') throw new Error('Results are asked for as text.');
    switch (type) {
      case bool:
        return (value) => (value === 't' ? 1 : 0);
      case int2:
      case int4:
      case oid:
        return Number;
      case int8:
      case numeric:
        return integer;
      default:
        return text;
    }
  },
};
