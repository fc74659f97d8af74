import type { FileFault } from './file-fault.ts';
import { readJsonText } from './json-text.ts';

/** A JSON file that was read: its value, and where in the text each part of it stands. */
export interface JsonFile {
  readonly file: string;
  readonly value: unknown;
  /** Line of a JSON Pointer, or of the nearest thing round it that is there. */
  lineOf(path: string): number;
}

/** Reads the text of a file as JSON, or says what is wrong with it. */
export function readJsonFile(file: string, text: string): JsonFile | readonly FileFault[] {
  const read = readJsonText(text);
  if ('faults' in read) {
    return read.faults.map(({ line, path, code, message }) => ({ file, line, path, code, message }));
  }
  const { value, positionOf } = read.json;
  return { file, value, lineOf: (path) => positionOf(path, 'key').line };
}
