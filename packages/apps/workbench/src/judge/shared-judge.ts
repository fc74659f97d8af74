import { effect, signal } from '@preact/signals';
import { type Judge, openJudge } from './ask-judge.ts';
import { ruleSets } from './rule-sets.ts';

/** Carriers that the page cannot judge, by name; undefined until that is known. */
export const leftToService = signal<readonly string[] | undefined>(undefined);

let open: { readonly rules: object; readonly judge: Judge } | undefined;

/** The judge that views share for what takes moments; undefined while the rules are not there, or may not be read. */
export function sharedJudge(): Judge | undefined {
  const found = ruleSets.value;
  if (found.state !== 'there') return undefined;
  if (open?.rules !== found.rules) {
    open?.judge.close();
    const judge = openJudge(found.rules);
    open = { rules: found.rules, judge };
    judge.opened.then(
      ({ needService }) => {
        if (open?.judge === judge) leftToService.value = needService;
      },
      () => {},
    );
  }
  return open.judge;
}

// Other rules, or none: whoever signs out leaves no judge behind.
effect(() => {
  if (ruleSets.value.state === 'there' || open === undefined) return;
  open.judge.close();
  open = undefined;
  leftToService.value = undefined;
});
