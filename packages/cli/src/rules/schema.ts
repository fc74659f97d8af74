import { ruleSetJsonSchema } from '@leeward/engine/authoring';
import type { Terminal } from '../terminal.ts';

/** `rules schema`: the JSON Schema of the format, which is JSON in either format. */
export function schema(terminal: Terminal): void {
  terminal.write(`${JSON.stringify(ruleSetJsonSchema(), null, 2)}\n`);
}
