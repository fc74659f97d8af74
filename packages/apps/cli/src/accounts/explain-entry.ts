import type { Fault } from '@leeward/accounts';
import { printFaults } from '../files/file-fault.ts';
import type { JsonFile } from '../files/json-file.ts';

/** Formats the faults of a refused file with their lines; faults outside the file keep their text. */
export function explainEntry({ file, lineOf }: JsonFile, within: string): (faults: readonly Fault[]) => string {
  return (faults) => {
    const located = faults.map(({ path, code, message }) => {
      const inFile = path === within || path.startsWith(`${within}/`);
      const own = inFile ? path.slice(within.length) : path;
      return { file, line: inFile ? lineOf(own) : undefined, path: own, code, message };
    });
    return `${file} is refused, and nothing was entered:\n\n${printFaults(located)}`;
  };
}
