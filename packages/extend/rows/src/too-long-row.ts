import type { FaultyRow } from './row.ts';
import type { TextLine } from './text-lines.ts';

export function tooLongRow({ number: line, text }: TextLine, maxRecordCharacters: number): FaultyRow {
  const most = maxRecordCharacters.toLocaleString('en-US');
  return {
    line,
    text,
    fault: {
      code: 'record_too_long',
      message: `Line ${line} is longer than ${most} characters, the most a row may have.`,
    },
  };
}
