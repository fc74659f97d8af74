import { parentPort, workerData } from 'node:worker_threads';
import { homeVocabulary, type Line, type Vocabulary } from '@leeward/engine';
import { isObject } from '@leeward/terms';
import { type HomesReplay, openReplay } from './replay-homes.ts';
import type { ReviewAnswers, ReviewAsked, ReviewWorkerData } from './review-messages.ts';
import { reviewRuleSet } from './review-rule-set.ts';

/** Replays under way, by the ids that their beginnings had. */
const replays = new Map<number, HomesReplay>();

/** The words of the lines that are known here beside homes, by name. */
const vocabularies = new Map<string, Vocabulary>();
for (const url of (workerData as ReviewWorkerData).lineModules) {
  const module = (await import(url)) as Readonly<Record<string, unknown>>;
  for (const each of Object.values(module)) {
    const { vocabulary } = (each ?? {}) as Partial<Line>;
    if (vocabulary?.fields) vocabularies.set(vocabulary.line, vocabulary);
  }
}

/** The words of the line that a file says it is of; of a line that is not known, those of homes say so. */
function wordsOf(file: unknown): Vocabulary {
  const line = isObject(file) ? file['line'] : undefined;
  return (typeof line === 'string' ? vocabularies.get(line) : undefined) ?? homeVocabulary;
}

async function answer(id: number, asked: ReviewAsked): Promise<ReviewAnswers[ReviewAsked['kind']]> {
  switch (asked.kind) {
    case 'review':
      return reviewRuleSet(asked.input, wordsOf(asked.input.file));
    case 'begin_replay': {
      const { faults, replay } = openReplay(asked.input, wordsOf(asked.input.file));
      if (replay) replays.set(id, replay);
      return faults;
    }
    case 'replay':
      await replays.get(asked.replay)?.evaluate(asked.homes);
      return undefined;
    case 'end_replay': {
      const result = replays.get(asked.replay)?.result();
      replays.delete(asked.replay);
      return result;
    }
  }
}

/** A thread that reviews rule sets, and replays what was answered. */
parentPort!.on('message', async ({ id, asked }: { id: number; asked: ReviewAsked }) => {
  try {
    parentPort!.postMessage({ id, answer: await answer(id, asked) });
  } catch (error) {
    parentPort!.postMessage({ id, error });
  }
});
