import type { Fault } from '@leeward/accounts';
import { printFaults } from '../files/file-fault.ts';
import type { JsonFile } from '../files/json-file.ts';

/** Says what was refused of a file at its lines, and what has nothing to do with the file as it is. */
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
