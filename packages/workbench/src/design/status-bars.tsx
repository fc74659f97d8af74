import { statusWords } from './status-mark.tsx';

/** What a policy can be for a carrier; `not_judged` where only the service could say. */
export const barStatuses = [
  'eligible',
  'referral',
  'needs_information',
  'ineligible',
  'not_offered',
  'not_judged',
] as const;

const words = { ...statusWords, not_judged: { mark: '·', word: 'Not judged' } } as const;

export interface BarRow {
  readonly key: string;
  readonly label: string;
  /** In the order of `barStatuses`. */
  readonly counts: readonly number[];
}

/** Counts by status as a table, each row with its bar: the numbers say it, the bar shows it. */
export function StatusBars({ title, rows }: { readonly title: string; readonly rows: readonly BarRow[] }) {
  const shown = barStatuses.flatMap((status, place) =>
    rows.some(({ counts }) => counts[place]! > 0) ? [{ status, place }] : [],
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard.
    <section class="scroll" tabIndex={0} aria-label={title}>
      <table class="bars">
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col" class="bar">
              <span class="only-heard">Share</span>
            </th>
            {shown.map(({ status }) => (
              <th key={status} scope="col" class="number">
                <span class={`ink-${status}`} aria-hidden="true">
                  {words[status].mark}
                </span>{' '}
                {words[status].word}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, label, counts }) => (
            <tr key={key}>
              <th scope="row">{label}</th>
              <td class="bar">
                <Bar counts={counts} />
              </td>
              {shown.map(({ status, place }) => (
                <td key={status} class="number">
                  {counts[place]!.toLocaleString('en-US')}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Bar({ counts }: { readonly counts: readonly number[] }) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  let at = 0;
  return (
    <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      {barStatuses.map((status, place) => {
        const width = total === 0 ? 0 : (100 * counts[place]!) / total;
        const from = at;
        at += width;
        return width === 0 ? null : (
          <rect key={status} class={`fill-${status}`} x={from} y="0" width={Math.max(0.2, width - 0.4)} height="10" />
        );
      })}
    </svg>
  );
}

/** Numbers by name, each with its bar against the largest. */
export function CountBars({
  title,
  head,
  rows,
}: {
  readonly title: string;
  readonly head: readonly [string, string];
  readonly rows: readonly (readonly [label: string, count: number])[];
}) {
  const most = Math.max(1, ...rows.map(([, count]) => count));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard.
    <section class="scroll" tabIndex={0} aria-label={title}>
      <table class="bars">
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{head[0]}</th>
            <th scope="col" class="bar">
              <span class="only-heard">Share</span>
            </th>
            <th scope="col" class="number">
              {head[1]}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, count]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td class="bar">
                <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                  <rect class="fill-plain" x="0" y="0" width={(100 * count) / most} height="10" />
                </svg>
              </td>
              <td class="number">{count.toLocaleString('en-US')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
