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
 * Reads columns as SQLite does: integers of every width as integers, booleans as 1 and 0, a sum of bigints (numeric in
 * PostgreSQL) as an integer, and everything else as text.
 */
export const postgresTypes = {
  getTypeParser(type: number, format?: string): (value: string) => unknown {
    if (format === 'binary') throw new Error('Results arrive as text.');
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
