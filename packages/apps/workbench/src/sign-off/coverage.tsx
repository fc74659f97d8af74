import { useEffect, useState } from 'preact/hooks';
import type { RulesAnswer, RulesQuestion, TestedCases } from '../rules/rules-messages.ts';
import { startWorker } from '../service/start-worker.ts';

/** The cases run in the page. */
export function Coverage({ ruleSet, cases }: { readonly ruleSet: unknown; readonly cases: unknown }) {
  const [tested, setTested] = useState<TestedCases | 'away' | undefined>(undefined);
  useEffect(() => {
    setTested(undefined);
    const worker = startWorker('rules');
    worker.addEventListener('message', ({ data }: MessageEvent<RulesAnswer>) => {
      if (data.tested) setTested(data.tested);
      else if (data.faults.length > 0) setTested('away');
    });
    worker.addEventListener('error', () => setTested('away'));
    const [text, run] = [ruleSet, cases].map((each) => JSON.stringify(each)) as [string, string];
    worker.postMessage({ number: 1, text, saved: undefined, cases: run } satisfies RulesQuestion);
    return () => worker.terminate();
  }, [ruleSet, cases]);
  if (tested === undefined) return <p class="soft">Running the cases …</p>;
  if (tested === 'away') return <p class="soft">Not available here: run leeward rules coverage.</p>;
  const rules = Object.entries(tested.reached);
  const sides = rules.flatMap(([, each]) => each.sides);
  const missed = rules.filter(([, { holds }]) => holds === 0).map(([id]) => id);
  return (
    <>
      <p>
        {rules.length - missed.length} of {rules.length} rules hold in a case;{' '}
        {sides.filter(({ isReached }) => isReached).length} of {sides.length} sides of limits are reached.
      </p>
      {missed.length > 0 && (
        <p>No case reaches: {missed.map((id, place) => [place > 0 && ', ', <code key={id}>{id}</code>])}.</p>
      )}
    </>
  );
}
