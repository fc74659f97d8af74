import { capitalized } from '@leeward/terms/words';
import { computed } from '@preact/signals';
import { commonChanges, describeChange } from './describe-change.ts';
import { tryChanges } from './verdict-details.tsx';
import { decision, explained } from './verdicts.ts';

const changes = computed(() => {
  const answer = explained.value;
  return answer === undefined ? [] : commonChanges([...answer.carriers, ...answer.declined]);
});

/** Changes of one answer that help several carriers; those of an earlier answer stay visible, but disabled. */
export function CommonChanges() {
  if (changes.value.length === 0) return null;
  const isOld = decision.value !== explained.value;
  return (
    <section class="panel stack-tight common-changes" aria-labelledby="common-changes-title" aria-busy={isOld}>
      <h2 id="common-changes-title">One change, more carriers</h2>
      <ul class="stack-tight small">
        {changes.value.map(({ change, eligible, could }) => {
          const words = describeChange(change, ': ');
          return (
            <li key={`${change.field} ${change.word ?? ''}`} class="row between">
              <span>
                {capitalized(words)}
                <strong>{gain(eligible.length, could.length)}</strong>
              </span>
              <button
                type="button"
                title={[...eligible, ...could].join(', ')}
                aria-disabled={isOld}
                onClick={() => isOld || tryChanges([change])}
              >
                Try it<span class="only-heard"> for {[...eligible, ...could].join(', ')}</span>
              </button>
            </li>
          );
        })}
      </ul>
      {explained.value?.warnings.some(({ code }) => code === 'explanation_truncated') && (
        <p class="small soft">Counted over the first answers of a long list. Choose a policy type to count all.</p>
      )}
    </section>
  );
}

/** `+4 carriers`, `+4 carriers, 2 more could`, `2 carriers could`. */
function gain(eligible: number, could: number): string {
  const carriers = (count: number) => `${count.toLocaleString('en-US')} carrier${count === 1 ? '' : 's'}`;
  if (eligible === 0) return `${carriers(could)} could`;
  return `+${carriers(eligible)}${could > 0 ? `, ${could} more could` : ''}`;
}
