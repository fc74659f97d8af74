import type { Failure } from './ask.ts';

/** Label of the field at a JSON Pointer; undefined if the form lacks the field. */
export type LabelAt = (path: string) => string | undefined;

/** Replaces the wire name in the message of a fault by the label. Forms accept numbers with separators, unlike requests. */
export function nameFault({ path, message: text }: Failure['errors'][number], label: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const message = text.replace(', in digits without separators', '');
  if (!message.startsWith(`${name} `)) return message;
  return `${withoutUnit(label)}${message.slice(name.length)}`;
}

/** Labels of faulty fields, each once; undefined if the form lacks one of them. */
export function faultyLabels({ errors }: Failure, labelAt: LabelAt): readonly string[] | undefined {
  const labels = errors.map(({ path }) => labelAt(path));
  if (labels.length === 0 || labels.includes(undefined)) return undefined;
  return [...new Set(labels.map((label) => withoutUnit(label!)))];
}

const withoutUnit = (label: string): string => label.replace(/ \([^)]*\)$/, '');
