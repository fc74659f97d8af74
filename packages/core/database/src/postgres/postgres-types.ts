import { readInteger } from '../integers.ts';

const BOOL = 16;
const INT8 = 20;
const INT2 = 21;
const INT4 = 23;
const OID = 26;
const NUMERIC = 1700;

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
      case BOOL:
        return (value) => (value === 't' ? 1 : 0);
      case INT2:
      case INT4:
      case OID:
        return Number;
      case INT8:
      case NUMERIC:
        return integer;
      default:
        return text;
    }
  },
};
