import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runWords } from './run-words.ts';

/** One command of a guide: what the guide says it prints, and what it printed. */
export interface GuideStep {
  readonly command: string;
  readonly written: string | undefined;
  readonly printed: string;
  readonly code: number;
}

const parts = /<!-- (edit|copy|save|insert): (.*?) -->|```(\w+)\n([\s\S]*?)```/g;

/**
 * Follows a guide to the letter in a folder: types its `sh` blocks, and does what its prose asks of files,
 * which stands beside the prose in comments.
 */
export async function followGuide(text: string, folder: string): Promise<GuideStep[]> {
  const steps: { command: string; written: string | undefined; printed: string; code: number }[] = [];
  let into: ((block: string) => void) | undefined;
  for (const [, action, argument = '', language, block = ''] of text.matchAll(parts)) {
    const words = argument.split(' | ');
    const path = (name: string) => join(folder, name);
    if (action === 'edit') {
      const [file, from, to] = words as [string, string, string];
      const before = readFileSync(path(file), 'utf8');
      if (!before.includes(from)) throw new Error(`${file} holds no ${from}.`);
      writeFileSync(path(file), before.replace(from, to));
    } else if (action === 'copy') copyFileSync(path(words[0]!), path(words[1]!));
    else if (action === 'save') {
      into = (saved) => {
        mkdirSync(dirname(path(argument)), { recursive: true });
        writeFileSync(path(argument), saved);
      };
    } else if (action === 'insert')
      into = (rule) => insertRule(path(words[0]!), words[1]!.replace('after rule ', ''), rule);
    else if (language === 'json' && into) {
      into(block);
      into = undefined;
    } else if (language === 'sh') {
      for (const command of block.trim().split('\n')) {
        const { code, output, errors } = await runWords(wordsOf(command), { folder });
        steps.push({ command, written: undefined, printed: `${output}${errors}`, code });
      }
    } else if (language === 'text' && steps.length > 0) steps.at(-1)!.written = block;
  }
  return steps;
}

/** The words of a command line, without the program's name. */
function wordsOf(command: string): string[] {
  const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
  if (words[0] !== 'leeward') throw new Error(`A guide types leeward, not ${command}.`);
  return words.slice(1);
}

/** Puts a rule after another, as a person would: a comma, and the text. */
function insertRule(file: string, id: string, rule: string): void {
  const text = readFileSync(file, 'utf8');
  const start = text.indexOf(`"id": "${id}"`);
  const indent = '        ';
  const end = text.indexOf(`\n${indent}}`, start) + `\n${indent}}`.length;
  if (start < 0) throw new Error(`${file} holds no rule ${id}.`);
  const indented = rule.trimEnd().replaceAll(/^/gm, indent);
  writeFileSync(file, `${text.slice(0, end)},\n${indented}${text.slice(end)}`);
}
