import type { FileFault } from './file-fault.ts';
import { readJsonText } from './json-text.ts';

/** A JSON file with its value and the positions of its parts. */
export interface JsonFile {
  readonly file: string;
  readonly value: unknown;
  /** Line of a JSON Pointer, or of the nearest thing round it that is there. */
  lineOf(path: string): number;
}

/** Parses the text or bytes of a file as JSON, or returns its faults. */
export function readJsonFile(file: string, text: string | Uint8Array): JsonFile | readonly FileFault[] {
  const read = readJsonText(text);
  if ('faults' in read) {
    return read.faults.map(({ line, path, code, message }) => ({ file, line, path, code, message }));
  }
  const { value, positionOf } = read.json;
  return { file, value, lineOf: (path) => positionOf(path, 'key').line };
}
