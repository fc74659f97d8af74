import { wordOf } from '@leeward/terms/words';
import { useEffect, useState } from 'preact/hooks';
import type { ShownStatus } from '../design/policy-statuses.ts';
import { CountBars } from '../design/status-bars.tsx';
import { StatusMark } from '../design/status-mark.tsx';
import type { BookChange, ChangeBand } from '../evaluate/evaluator-messages.ts';
import { bookState, compareOverBook } from './book-state.ts';
import { PolicyCells } from './policy-cells.tsx';

/** Two versions of a rule set, as text. */
export interface Versions {
  readonly older: string;
  readonly newer: string;
}

/** Comparing is slow: wait until typing pauses. */
const REST_MS = 400;

/** Changes of a new version in the opened book. */
export function BookImpact({ older, newer }: Versions) {
  const now = bookState.value;
  const [result, setResult] = useState<BookChange | Error | undefined>(undefined);
  const file = now.state === 'evaluated' ? now.file : undefined;
  useEffect(() => {
    if (file === undefined) return;
    let isHere = true;
    const timer = setTimeout(() => {
      compareOverBook({ older, newer }).then(
        (change) => isHere && change && setResult(change),
        (error: Error) => isHere && setResult(error),
      );
    }, REST_MS);
    return () => {
      isHere = false;
      clearTimeout(timer);
    };
  }, [older, newer, file]);
  if (now.state !== 'evaluated')
    return (
      <p class="small soft no-print">
        To count the affected policies, <a href="#/book">open a book</a> and come back.
      </p>
    );
  if (result === undefined)
    return (
      <p class="soft" role="status">
        Comparing over {now.file.name} …
      </p>
    );
  if (result instanceof Error)
    return (
      <p class="notice bad" role="alert">
        {now.file.name} was not compared: {result.message}
      </p>
    );
  return <Impact name={now.file.name} change={result} />;
}

function Impact({ name, change }: { readonly name: string; readonly change: BookChange }) {
  const { rows, rejected, moved, bands, rules, extraTitles } = change;
  const read = rows - rejected;
  return (
    <div class="stack-tight">
      <p role="status">
        Over {name}: <strong>{moved.toLocaleString('en-US')}</strong> of {read.toLocaleString('en-US')} policies have a
        different answer ({read === 0 ? 0 : ((100 * moved) / read).toFixed(1)} %).
      </p>
      {bands.map((band) => (
        <Band key={`${band.before} ${band.after}`} band={band} extraTitles={extraTitles} />
      ))}
      {rules.length > 1 && <CountBars title="By edited rule" head={['Rule', 'Policies']} rows={rules} />}
    </div>
  );
}

function Band({
  band: { before, after, count, policies },
  extraTitles,
}: {
  readonly band: ChangeBand;
  readonly extraTitles: readonly string[];
}) {
  return (
    <details class="band-of-change">
      <summary>
        <span class="row">
          <StatusMark status={before as ShownStatus} />
          <span aria-hidden="true">→</span>
          <span class="only-heard">becomes</span>
          <StatusMark status={after as ShownStatus} />
          <strong class="number">{count.toLocaleString('en-US')}</strong>
        </span>
      </summary>
      <section
        class="scroll few-rows"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard.
        tabIndex={0}
        aria-label={`Policies: ${wordOf('status', before)} becomes ${wordOf('status', after)}`}
      >
        <table>
          <thead>
            <tr>
              {['Row', ...extraTitles, 'Form', 'Place', 'Rule'].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {policies.map((policy) => (
              <tr key={`${policy.row} ${policy.policyType}`}>
                <PolicyCells
                  policy={{
                    ...policy,
                    place: policy.county === 'unknown' ? policy.state.toUpperCase() : policy.county,
                  }}
                />
                <td>{policy.ruleIds.join(', ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {count > policies.length && <p class="soft">and {(count - policies.length).toLocaleString('en-US')} more.</p>}
    </details>
  );
}
