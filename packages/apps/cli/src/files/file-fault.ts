/** One thing wrong with a file: where, and a sentence that names the value received and the way out. */
export interface FileFault {
  /** As the user would write it: relative to where the command runs. */
  readonly file: string;
  /** Counted from 1; undefined where the whole file is meant. */
  readonly line: number | undefined;
  /** JSON Pointer; empty for the whole file. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** Faults for a terminal: file and line as editors take them, then what is wrong. */
export function printFaults(faults: readonly FileFault[]): string {
  return faults
    .map(({ file, line, path, message }) => {
      const where = `${file}${line === undefined ? '' : `:${line}`}${path === '' ? '' : `  ${path}`}`;
      return `  ${where}\n    ${message}\n`;
    })
    .join('');
}
