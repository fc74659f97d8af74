import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { homeVocabulary, type Vocabulary } from '@leeward/engine';
import { type LineSource, readLineModules } from '@leeward/engine/check-thread';
import { type Fault, isObject } from '@leeward/terms';
import { type HomeToReplay, openReplay, type ReplayedHomes, type ReplayInput } from './replay-homes.ts';
import { type Review, type ReviewInput, reviewRuleSet } from './review-rule-set.ts';

export interface ReviewTaskInput {
  readonly input: ReviewInput;
  /** URLs of modules that export lines. */
  readonly lineModules: readonly LineSource[];
}

export interface ReplayTaskInput {
  readonly input: ReplayInput;
  readonly lineModules: readonly LineSource[];
  /** Carries parts of the homes: the task posts `MORE` for each part; the caller posts the part, or null after the last. */
  readonly port: MessagePort;
}

export const MORE = 'more';

/** The result of a replay, or the faults of the version. */
export interface Replayed {
  readonly faults: readonly Fault[];
  /** Absent if there are faults. */
  readonly replayed?: ReplayedHomes;
}

/** Task: reviews a rule set. */
export async function review({ input, lineModules }: ReviewTaskInput): Promise<Review> {
  return reviewRuleSet(input, await vocabularyOf(input.file, lineModules));
}

/** Task: replays homes, one part at a time. */
export async function replay({ input, lineModules, port }: ReplayTaskInput): Promise<Replayed> {
  const { faults, replay: homes } = openReplay(input, await vocabularyOf(input.file, lineModules));
  if (!homes) return { faults };
  for (;;) {
    port.postMessage(MORE);
    const [part] = (await once(port, 'message')) as [readonly HomeToReplay[] | null];
    if (part === null) break;
    await homes.evaluate(part);
  }
  port.close();
  return { faults, replayed: homes.result() };
}

/** The vocabulary of a file's line. For an unknown line, that of homes, which reports it as a fault. */
async function vocabularyOf(file: unknown, lineModules: readonly LineSource[]): Promise<Vocabulary> {
  const line = isObject(file) ? file['line'] : undefined;
  const vocabularies = await readLineModules(lineModules);
  return vocabularies.get(typeof line === 'string' ? line : homeVocabulary.line) ?? homeVocabulary;
}
