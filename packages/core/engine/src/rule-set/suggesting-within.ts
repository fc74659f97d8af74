import { type SuggestionBudget, withSuggestions } from '@leeward/terms';
import type { Steps } from '../turns/steps.ts';

/** Steps whose suggestions cost no more than the budget, all together; what is done between them is none of it. */
export function* suggestingWithin<T>(budget: SuggestionBudget, steps: Steps<T>): Steps<T> {
  for (;;) {
    const { done, value } = withSuggestions(budget, () => steps.next());
    if (done) return value;
    yield;
  }
}
