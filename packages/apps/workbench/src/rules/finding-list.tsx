import { capitalized, wordOf } from '@leeward/terms/words';
import type { PlacedFinding } from './rules-messages.ts';

const marks = { fault: '✕', warning: '◆', note: '–' } as const;
const colours = { fault: 'ineligible', warning: 'referral', note: 'not_offered' } as const;
const MAX_SHOWN = 200;

export function FindingList({
  findings,
  show,
}: {
  readonly findings: readonly PlacedFinding[];
  readonly show: (from: number, to: number) => void;
}) {
  return (
    <ul class="findings">
      {findings.slice(0, MAX_SHOWN).map((finding) => (
        <li key={`${finding.from} ${finding.code} ${finding.message}`} class="stack-tight">
          <p>
            <span class={`status status-${colours[finding.severity]}`}>
              <span aria-hidden="true">{marks[finding.severity]}</span>
              {finding.severity}
            </span>{' '}
            {finding.message}
          </p>
          {finding.allowed && <p class="small soft">Allowed: {finding.allowed}</p>}
          <p class="row small">
            <span class="soft">{capitalized(wordOf('reason', finding.code))}</span>
            <button type="button" class="plain" onClick={() => show(finding.from, finding.to)}>
              Show the place
            </button>
            {finding.example && <a href={`#/home?${wordsOf(finding.example)}`}>Open the example home</a>}
          </p>
          {finding.example && (
            <details class="small">
              <summary>The example home</summary>
              <pre>{JSON.stringify(finding.example, null, 1)}</pre>
            </details>
          )}
        </li>
      ))}
      {findings.length > MAX_SHOWN && <li class="soft">and {findings.length - MAX_SHOWN} more.</li>}
    </ul>
  );
}

function wordsOf(home: Readonly<Record<string, unknown>>): string {
  return new URLSearchParams(Object.entries(home).map(([name, value]) => [name, String(value)])).toString();
}
