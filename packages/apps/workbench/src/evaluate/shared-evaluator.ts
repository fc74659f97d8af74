import { effect, signal } from '@preact/signals';
import { type Evaluator, openEvaluator } from './open-evaluator.ts';
import { ruleSets } from './rule-sets.ts';

/** Names of carriers that the page cannot evaluate; undefined until the rules are loaded. */
export const leftToService = signal<readonly string[] | undefined>(undefined);

let open: { readonly rules: object; readonly evaluator: Evaluator } | undefined;

/** The evaluator that views share for short questions; undefined unless the rules are loaded. */
export function sharedEvaluator(): Evaluator | undefined {
  const result = ruleSets.value;
  if (result.state !== 'ready') return undefined;
  if (open?.rules !== result.rules) {
    open?.evaluator.close();
    const evaluator = openEvaluator(result.rules);
    open = { rules: result.rules, evaluator };
    evaluator.opened.then(
      ({ needService }) => {
        if (open?.evaluator === evaluator) leftToService.value = needService;
      },
      () => {},
    );
  }
  return open.evaluator;
}

// Close the evaluator when its rules are gone, as after signing out.
effect(() => {
  if (ruleSets.value.state === 'ready' || open === undefined) return;
  open.evaluator.close();
  open = undefined;
  leftToService.value = undefined;
});
