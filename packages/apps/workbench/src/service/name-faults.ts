import type { Failure } from './ask.ts';

/** Returns the label of the field at a JSON Pointer; undefined if the form lacks the field. */
export type LabelAt = (path: string) => string | undefined;

/** The message of a fault with the field named as the page names it: the service names it as on the wire. */
export function nameFault({ path, message }: Failure['errors'][number], label: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (!message.startsWith(`${name} `)) return message;
  return `${withoutUnit(label)}${message.slice(name.length)}`;
}

/** Labels of the fields to correct, each once; undefined if a fault belongs to no field of the form. */
export function faultyLabels({ errors }: Failure, labelAt: LabelAt): readonly string[] | undefined {
  const labels = errors.map(({ path }) => labelAt(path));
  if (labels.length === 0 || labels.includes(undefined)) return undefined;
  return [...new Set(labels.map((label) => withoutUnit(label!)))];
}

const withoutUnit = (label: string): string => label.replace(/ \([^)]*\)$/, '');
