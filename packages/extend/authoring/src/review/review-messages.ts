import type { Fault } from '@leeward/terms';
import type { HomeToReplay, ReplayedHomes, ReplayInput } from './replay-homes.ts';
import type { Review, ReviewInput } from './review-rule-set.ts';

/** What the thread of reviews begins with. */
export interface ReviewWorkerData {
  /** URLs of modules that export lines. */
  readonly lineModules: readonly string[];
}

/** What the thread of reviews is asked. Homes of a replay come in parts, so that nobody holds all of them. */
export type ReviewAsked =
  | { readonly kind: 'review'; readonly input: ReviewInput }
  | { readonly kind: 'begin_replay'; readonly input: ReplayInput }
  | { readonly kind: 'replay'; readonly replay: number; readonly homes: readonly HomeToReplay[] }
  | { readonly kind: 'end_replay'; readonly replay: number };

/** What it answers to each. */
export interface ReviewAnswers {
  review: Review;
  /** What is wrong with the version; none: it has begun. */
  begin_replay: readonly Fault[];
  replay: undefined;
  end_replay: ReplayedHomes | undefined;
}
