/**
 * The document from which the client's types are written. It leaves out lenient input, so that a typing error does not
 * compile: only
 * canonical values remain instead of every accepted spelling, and host notes (`x_…`) are removed.
 */
export function canonicalDocument(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonicalDocument);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key]) => key !== 'patternProperties')
    .map(([key, each]) => [key, canonicalDocument(key === 'anyOf' ? namedValues(each) : each)]);
  return Object.fromEntries(entries);
}

/** Removes texts that only spell one of the listed values. */
function namedValues(choices: unknown): unknown {
  if (!Array.isArray(choices) || !choices.some((choice) => isText(choice) && 'enum' in choice)) return choices;
  return choices.filter((choice) => !isText(choice) || 'enum' in choice);
}

function isText(choice: unknown): choice is object {
  return typeof choice === 'object' && choice !== null && 'type' in choice && choice.type === 'string';
}
