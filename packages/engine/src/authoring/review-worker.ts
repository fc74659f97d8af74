import { parentPort } from 'node:worker_threads';
import { type ReviewInput, reviewRuleSet } from './review-rule-set.ts';

/** A thread that reviews rule sets of homes, one after another. */
parentPort!.on('message', async ({ id, input }: { id: number; input: ReviewInput }) => {
  try {
    parentPort!.postMessage({ id, review: await reviewRuleSet(input) });
  } catch (error) {
    parentPort!.postMessage({ id, error });
  }
});
