import { homeVocabulary, ruleSetJsonSchema } from '@leeward/engine';
import type { KnownLines } from '../lines/known-lines.ts';
import type { Terminal } from '../terminal.ts';

/** `rules schema`: the JSON Schema of the format, which is JSON in either format. */
export function schema(terminal: Terminal, lines: KnownLines): void {
  terminal.write(`${JSON.stringify(ruleSetJsonSchema(lines.requested ?? homeVocabulary), null, 2)}\n`);
}
