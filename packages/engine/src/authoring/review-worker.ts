import { parentPort } from 'node:worker_threads';
import { type HomesReplay, openReplay } from './replay-homes.ts';
import type { ReviewAnswers, ReviewAsked } from './review-messages.ts';
import { reviewRuleSet } from './review-rule-set.ts';

/** Replays under way, by the ids that their beginnings had. */
const replays = new Map<number, HomesReplay>();

async function answer(id: number, asked: ReviewAsked): Promise<ReviewAnswers[ReviewAsked['kind']]> {
  switch (asked.kind) {
    case 'review':
      return reviewRuleSet(asked.input);
    case 'begin_replay': {
      const { faults, replay } = openReplay(asked.input);
      if (replay) replays.set(id, replay);
      return faults;
    }
    case 'replay':
      await replays.get(asked.replay)?.judge(asked.homes);
      return undefined;
    case 'end_replay': {
      const result = replays.get(asked.replay)?.result();
      replays.delete(asked.replay);
      return result;
    }
  }
}

/** A thread that reviews rule sets of homes, and replays what was answered. */
parentPort!.on('message', async ({ id, asked }: { id: number; asked: ReviewAsked }) => {
  try {
    parentPort!.postMessage({ id, answer: await answer(id, asked) });
  } catch (error) {
    parentPort!.postMessage({ id, error });
  }
});
