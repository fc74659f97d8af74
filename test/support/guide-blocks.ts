import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from './running-leeward.ts';

/** The blocks of a guide of Python: lines of the shell, the program, and its output. */
export interface GuideBlocks {
  readonly shell: readonly string[];
  readonly program: string;
  readonly output: string;
}

/** Reads `docs/guides/NAME.md`, which has one block of each kind. */
export function guideBlocks(name: string): GuideBlocks {
  const text = readFileSync(join(workspace, 'docs/guides', `${name}.md`), 'utf8');
  const blockOf = (language: string) => new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(text)?.[1] ?? '';
  return { shell: blockOf('sh').trimEnd().split('\n'), program: blockOf('python'), output: blockOf('text') };
}
