import type { Stale } from './keep-results.ts';
import { Result } from './result.tsx';
import type { TestedCases } from './rules-messages.ts';

export function CaseList({ tested, stale }: { readonly tested: TestedCases; readonly stale: Stale | undefined }) {
  const failing = tested.cases.filter(({ failures }) => failures.length > 0);
  return (
    <Result id="rules-cases" title="Cases" stale={stale}>
      {tested.faults.map((message) => (
        <p class="notice bad" key={message}>
          {message}
        </p>
      ))}
      <p>
        <span class={`status status-${failing.length === 0 ? 'eligible' : 'ineligible'}`}>
          <span aria-hidden="true">{failing.length === 0 ? '✓' : '✕'}</span>
          {tested.cases.length - failing.length} of {tested.cases.length} pass
        </span>
      </p>
      <ul class="findings">
        {failing.map(({ note, failures }) => (
          <li key={note}>
            {failures.map((message) => (
              <p key={message}>{message}</p>
            ))}
          </li>
        ))}
      </ul>
      <details class="small">
        <summary>All cases</summary>
        <ul class="stack-tight">
          {tested.cases.map(({ note, expected, came, failures }) => (
            <li key={note}>
              <span aria-hidden="true">{failures.length === 0 ? '✓' : '✕'}</span>
              <span class="only-heard">{failures.length === 0 ? 'Passes' : 'Fails'}:</span> {note}:{' '}
              {came.replace('_', ' ')}
              {came !== expected && `, expected ${expected.replace('_', ' ')}`}
            </li>
          ))}
        </ul>
      </details>
    </Result>
  );
}
