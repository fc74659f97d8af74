import type { ComponentChildren } from 'preact';
import { policyStatuses, statusWords } from './policy-statuses.ts';

const words = { ...statusWords, not_judged: { mark: '·', word: 'Not evaluated' } } as const;

export interface BarRow {
  readonly key: string;
  readonly label: string;
  /** In the order of `policyStatuses`. */
  readonly counts: readonly number[];
}

interface StatusBarsProps {
  readonly title: string;
  readonly rows: readonly BarRow[];
  /** Opens what a number counts: `status` is its place in `policyStatuses`. */
  readonly open?: ((row: BarRow, status: number, word: string) => void) | undefined;
}

/** A table of counts by status, with bars. */
export function StatusBars({ title, rows, open }: StatusBarsProps) {
  const columns = policyStatuses.flatMap((status, place) =>
    rows.some(({ counts }) => counts[place]! > 0) ? [{ status, place }] : [],
  );
  return (
    <BarTable
      title={title}
      name="Name"
      rows={rows.length}
      isCards
      numbers={columns.map(({ status }) => (
        <th key={status} scope="col" class="number">
          <span class={`ink-${status}`} aria-hidden="true">
            {words[status].mark}
          </span>{' '}
          {words[status].word}
        </th>
      ))}
    >
      {rows.map((row) => {
        const { key, label, counts } = row;
        return (
          <tr key={key}>
            <th scope="row">{label}</th>
            <td class="bar">
              <Bar counts={counts} />
            </td>
            {columns.map(({ status, place }) => (
              <td key={status} class={counts[place] === 0 ? 'number zero' : 'number'} data-label={words[status].word}>
                <Count
                  count={counts[place]!}
                  label={`${label}: ${words[status].word}`}
                  open={open && (() => open(row, place, words[status].word))}
                />
              </td>
            ))}
          </tr>
        );
      })}
    </BarTable>
  );
}

interface CountProps {
  readonly count: number;
  /** Name of the number, for the button. */
  readonly label: string;
  readonly open: (() => void) | undefined;
}

/** A number; if `open` is given, a button that lists what it counts. */
export function Count({ count, label, open }: CountProps) {
  const digits = count.toLocaleString('en-US');
  if (open === undefined || count === 0) return <>{digits}</>;
  return (
    <button type="button" class="plain" onClick={open} aria-label={`${digits}, ${label}: list the policies`}>
      {digits}
    </button>
  );
}

/** Numbers by name, with bars relative to the largest. */
export function CountBars({
  title,
  head,
  rows,
  open,
}: {
  readonly title: string;
  readonly head: readonly [string, string];
  readonly rows: readonly (readonly [label: string, count: number])[];
  /** Opens what a number counts, by its place in `rows`. */
  readonly open?: (place: number) => void;
}) {
  const largest = Math.max(1, ...rows.map(([, count]) => count));
  return (
    <BarTable
      title={title}
      name={head[0]}
      rows={rows.length}
      numbers={
        <th scope="col" class="number">
          {head[1]}
        </th>
      }
    >
      {rows.map(([label, count], place) => (
        <tr key={label}>
          <th scope="row">{label}</th>
          <td class="bar">
            <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              <rect class="fill-plain" x="0" y="0" width={(100 * count) / largest} height="10" />
            </svg>
          </td>
          <td class="number">
            <Count count={count} label={label} open={open && (() => open(place))} />
          </td>
        </tr>
      ))}
    </BarTable>
  );
}

/** Longer tables scroll. */
const MAX_ROWS = 40;

/** A table with a column of bars; its rows are its children. */
function BarTable({
  title,
  name,
  rows,
  numbers,
  isCards = false,
  children,
}: {
  readonly title: string;
  readonly rows: number;
  /** Heads of the first column and of those after the bars. */
  readonly name: string;
  readonly numbers: ComponentChildren;
  /** True if a narrow screen shows each row as a card, with `data-label` before each number. */
  readonly isCards?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard.
    <section class={`scroll${rows > MAX_ROWS ? ' few-rows' : ''}`} tabIndex={0} aria-label={title}>
      <table class={isCards ? 'bars cards' : 'bars'}>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{name}</th>
            <th scope="col" class="bar">
              <span class="only-heard">Share</span>
            </th>
            {numbers}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

function Bar({ counts }: { readonly counts: readonly number[] }) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  let at = 0;
  return (
    <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      {policyStatuses.map((status, place) => {
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
