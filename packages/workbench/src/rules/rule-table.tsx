import type { RuleRow, TestedCases } from './rules-messages.ts';

const MAX_SHOWN = 500;
const colours: Readonly<Record<string, string>> = { decline: 'ineligible', refer: 'referral', require: 'eligible' };

/** The same file as rows: each rule, how cases reach it, and the way to its place in the text. */
export function RuleTable({
  rows,
  tested,
  show,
}: {
  readonly rows: readonly RuleRow[];
  readonly tested: TestedCases | undefined;
  readonly show: (from: number, to: number) => void;
}) {
  return (
    <section class="panel stack-tight" aria-labelledby="rules-table">
      <h2 id="rules-table">Rules as a table</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard. */}
      <section class="scroll" tabIndex={0} aria-label="Rules">
        <table class="rule-table">
          <thead>
            <tr>
              <th scope="col">Rule</th>
              <th scope="col">Of</th>
              <th scope="col">Outcome</th>
              <th scope="col">Code</th>
              <th scope="col">Condition</th>
              <th scope="col">Message</th>
              {tested && (
                <th scope="col" class="number">
                  Cases
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MAX_SHOWN).map((row) => (
              <tr key={`${row.from} ${row.id}`}>
                <th scope="row">
                  <button type="button" class="plain" onClick={() => show(row.from, row.to)}>
                    {row.id}
                  </button>
                </th>
                <td>{row.program ?? 'all'}</td>
                <td>
                  <span class={`status status-${colours[row.outcome] ?? 'not_offered'}`}>{row.outcome}</span>
                </td>
                <td>{row.code}</td>
                <td>
                  <code>{row.condition}</code>
                </td>
                <td>{row.message}</td>
                {tested && <Reached reached={tested.reached[row.id]} />}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > MAX_SHOWN && <p class="soft">and {rows.length - MAX_SHOWN} more in the text.</p>}
    </section>
  );
}

/** How cases reach a rule: the more sides of its limits, the fuller. */
function Reached({ reached }: { readonly reached: TestedCases['reached'][string] | undefined }) {
  if (!reached) return <td class="number">–</td>;
  const { holds, doesNotHold, sides, reached: met } = reached;
  const heat = holds === 0 ? 'ineligible' : met < sides ? 'referral' : 'eligible';
  return (
    <td class={`number cell-${heat}`}>
      {holds} hold, {doesNotHold} do not
      {sides > 0 && (
        <span class="small">
          ; {met} of {sides} sides
        </span>
      )}
    </td>
  );
}

/** Cases, green or red as one types. */
export function CaseList({ tested }: { readonly tested: TestedCases }) {
  const failing = tested.cases.filter(({ failures }) => failures.length > 0);
  return (
    <section class="panel stack-tight" aria-labelledby="rules-cases">
      <h2 id="rules-cases">Cases</h2>
      {tested.faults.map((message) => (
        <p class="notice bad" key={message}>
          {message}
        </p>
      ))}
      <p>
        <span class={`status status-${failing.length === 0 ? 'eligible' : 'ineligible'}`}>
          <span aria-hidden="true">{failing.length === 0 ? '✓' : '✕'}</span>
          {tested.cases.length - failing.length} of {tested.cases.length} come out as they say
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
    </section>
  );
}
