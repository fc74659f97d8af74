import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileStep } from './guide-steps.ts';

/** Applies a guide's edit to the files of a folder. Throws if the text to edit is missing. */
export function takeFileStep(folder: string, step: FileStep): void {
  const path = join(folder, step.name);
  if (step.kind === 'file') {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, step.text);
  } else if (step.kind === 'copy') copyFileSync(path, join(folder, step.to));
  else {
    const before = readFileSync(path, 'utf8');
    const apply = { edit: edited, insert: withRule, lines: withLines };
    writeFileSync(path, apply[step.kind](before, step as never));
  }
}

function edited(before: string, { name, from, to }: FileStep & { kind: 'edit' }): string {
  if (!before.includes(from)) throw new Error(`${name} does not contain ${from}.`);
  return before.replace(from, to);
}

/** A rule after another, as a person would put it there: a comma, and the text. */
function withRule(before: string, { name, rule, text }: FileStep & { kind: 'insert' }): string {
  const start = before.indexOf(`"id": "${rule}"`);
  if (start < 0) throw new Error(`${name} does not contain the rule ${rule}.`);
  const indent = ' '.repeat(start - before.lastIndexOf('\n', start) - 3);
  const end = before.indexOf(`\n${indent}}`, start) + `\n${indent}}`.length;
  return `${before.slice(0, end)},\n${text.trimEnd().replaceAll(/^/gm, indent)}${before.slice(end)}`;
}

/** Lines after the first line with a text, indented like it. */
function withLines(before: string, { name, after, text }: FileStep & { kind: 'lines' }): string {
  const start = before.indexOf(after);
  if (start < 0) throw new Error(`${name} does not contain ${after}.`);
  const indent = ' '.repeat(before.slice(before.lastIndexOf('\n', start) + 1).search(/\S/));
  const end = before.indexOf('\n', start);
  return `${before.slice(0, end)}\n${text.trimEnd().replaceAll(/^/gm, indent)}${before.slice(end)}`;
}
