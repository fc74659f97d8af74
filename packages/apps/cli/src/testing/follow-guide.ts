import { takeFileStep } from './guide-files.ts';
import { guideSteps } from './guide-steps.ts';
import { runWords } from './run-words.ts';

/** One command of a guide with its promised and actual output and exit code. */
export interface FollowedStep {
  readonly command: string;
  readonly written: string | undefined;
  readonly printed: string;
  readonly endsWith: number;
  readonly code: number;
}

/** Follows a guide in a folder, except installation: runs its commands and edits files as its prose instructs. */
export async function followGuide(text: string, folder: string): Promise<FollowedStep[]> {
  const followed: { -readonly [key in keyof FollowedStep]: FollowedStep[key] }[] = [];
  for (const step of guideSteps(text)) {
    if (step.kind === 'shell') {
      for (const command of step.text.trim().split('\n')) {
        if (command.startsWith('npm install ')) continue;
        const { code, output, errors } = await runWords(wordsOf(command), { folder });
        followed.push({ command, written: undefined, printed: `${output}${errors}`, endsWith: step.endsWith, code });
      }
    } else if (step.kind === 'output') {
      if (followed.length > 0) followed.at(-1)!.written = step.text;
    } else takeFileStep(folder, step);
  }
  return followed;
}

/** The words of a command line, without the program's name. */
function wordsOf(command: string): string[] {
  const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
  if (words[0] !== 'leeward') throw new Error(`A guide types leeward, not ${command}.`);
  return words.slice(1);
}
