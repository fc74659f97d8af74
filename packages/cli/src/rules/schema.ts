import { ruleSetJsonSchema } from '@leeward/engine/authoring';
import type { Terminal } from '../terminal.ts';
import { vocabularyNamed } from './line-of.ts';

/** `rules schema`: the JSON Schema of the format, which is JSON in either format. */
export function schema({ line }: { readonly line?: string }, terminal: Terminal): void {
  terminal.write(`${JSON.stringify(ruleSetJsonSchema(vocabularyNamed(line)), null, 2)}\n`);
}
