import { effect, signal } from '@preact/signals';
import { type Evaluator, openEvaluator } from './open-evaluator.ts';
import { ruleSets } from './rule-sets.ts';

/** Carriers that the page cannot evaluate; undefined until the rules are loaded. */
export const leftToService = signal<readonly string[] | undefined>(undefined);

/** True if the answer for a home depends on events, which only the service knows; undefined until the rules are loaded. */
export const needsEvents = signal<boolean | undefined>(undefined);

let open: { readonly rules: object; readonly evaluator: Evaluator } | undefined;

/** Shared by views for short questions; undefined unless the rules are loaded. */
export function sharedEvaluator(): Evaluator | undefined {
  const result = ruleSets.value;
  if (result.state !== 'ready') return undefined;
  if (open?.rules !== result.rules) {
    open?.evaluator.close();
    const evaluator = openEvaluator(result.rules);
    open = { rules: result.rules, evaluator };
    evaluator.opened.then(
      ({ needService, needEvents }) => {
        if (open?.evaluator !== evaluator) return;
        needsEvents.value = needEvents;
        leftToService.value = needService;
      },
      () => {},
    );
  }
  return open.evaluator;
}

effect(() => {
  if (ruleSets.value.state === 'ready' || open === undefined) return;
  open.evaluator.close();
  open = undefined;
  leftToService.value = needsEvents.value = undefined;
});
