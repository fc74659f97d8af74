/**
 * The document as the types of the client are written from it: what the server forgives is left out, so that a slip of the pen
 * does not compile. Of words that name a value only the values themselves are left, not every spelling of them, and of keys
 * those that mean something, not a host's own notes (`x_…`).
 */
export function canonicalDocument(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonicalDocument);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key]) => key !== 'patternProperties')
    .map(([key, each]) => [key, canonicalDocument(key === 'anyOf' ? namedValues(each) : each)]);
  return Object.fromEntries(entries);
}

/** Without the texts that only spell one of the values that stand beside them. */
function namedValues(choices: unknown): unknown {
  if (!Array.isArray(choices) || !choices.some((choice) => isText(choice) && 'enum' in choice)) return choices;
  return choices.filter((choice) => !isText(choice) || 'enum' in choice);
}

function isText(choice: unknown): choice is object {
  return typeof choice === 'object' && choice !== null && 'type' in choice && choice.type === 'string';
}
