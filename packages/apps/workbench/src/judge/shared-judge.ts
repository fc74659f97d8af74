import { effect, signal } from '@preact/signals';
import { type Judge, openJudge } from './ask-judge.ts';
import { ruleSets } from './rule-sets.ts';

/** Names of carriers that the page cannot evaluate; undefined until the rules are loaded. */
export const leftToService = signal<readonly string[] | undefined>(undefined);

let open: { readonly rules: object; readonly judge: Judge } | undefined;

/** The judge that views share for short questions; undefined unless the rules are loaded. */
export function sharedJudge(): Judge | undefined {
  const result = ruleSets.value;
  if (result.state !== 'ready') return undefined;
  if (open?.rules !== result.rules) {
    open?.judge.close();
    const judge = openJudge(result.rules);
    open = { rules: result.rules, judge };
    judge.opened.then(
      ({ needService }) => {
        if (open?.judge === judge) leftToService.value = needService;
      },
      () => {},
    );
  }
  return open.judge;
}

// Close the judge when its rules are gone, as after signing out.
effect(() => {
  if (ruleSets.value.state === 'ready' || open === undefined) return;
  open.judge.close();
  open = undefined;
  leftToService.value = undefined;
});
