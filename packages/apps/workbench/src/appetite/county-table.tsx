import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { statusWords } from '../design/policy-statuses.ts';
import type { Appetite, AppetiteRow } from '../evaluate/evaluator-messages.ts';

const ROW_PIXELS = 30;
/** Rows drawn above and below the visible ones. */
const SPARE_ROWS = 8;

interface CountyTableProps {
  readonly result: Appetite & { readonly ok: true };
  readonly rows: readonly AppetiteRow[];
  /** Part of the names of the carriers to show. */
  readonly filter: string;
  readonly chosen: string | undefined;
  readonly choose: (fips: string) => void;
}

/** Carriers that offer the home in a county, those that take it in most counties first. */
function shownCarriers({ carriers, statuses, rows }: CountyTableProps['result'], filter: string) {
  const part = filter.trim().toLowerCase();
  const countOf = (carrier: number, among: readonly string[]) =>
    rows.reduce((sum, { codes }) => sum + (among.includes(statuses[codes[carrier]!]!) ? 1 : 0), 0);
  const all = carriers.map((name, carrier) => ({
    name,
    carrier,
    offers: rows.length - countOf(carrier, ['not_offered']),
    takes: countOf(carrier, ['eligible', 'referral']),
    could: countOf(carrier, ['needs_information', 'not_judged']),
  }));
  const offering = all.filter(({ offers }) => offers > 0);
  const columns = offering.filter(({ name }) => name.toLowerCase().includes(part));
  columns.sort((one, other) => other.takes - one.takes || other.could - one.could || (one.name < other.name ? -1 : 1));
  return {
    columns,
    offering: offering.length,
    absent: all.filter(({ offers }) => offers === 0).map(({ name }) => name),
  };
}

/** Draws only visible rows. */
export function CountyTable({ result, rows, filter, chosen, choose }: CountyTableProps) {
  const box = useRef<HTMLElement>(null);
  const [visible, setVisible] = useState({ from: 0, to: 40 });
  const look = () => {
    if (!box.current) return;
    const { scrollTop, clientHeight } = box.current;
    const from = Math.max(0, Math.floor(scrollTop / ROW_PIXELS) - SPARE_ROWS);
    const to = Math.ceil((scrollTop + clientHeight) / ROW_PIXELS) + SPARE_ROWS;
    if (from !== visible.from || to !== visible.to) setVisible({ from, to });
  };
  useEffect(look);
  const to = Math.min(rows.length, visible.to);
  const from = Math.min(visible.from, to);
  const isOneState = rows[0]?.state === rows.at(-1)?.state;
  const { columns, offering, absent } = useMemo(() => shownCarriers(result, filter), [result, filter]);
  return (
    <>
      <section
        class="scroll county-table"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard.
        tabIndex={0}
        aria-label="Counties by carriers, a table"
        ref={box}
        onScroll={look}
      >
        <table aria-rowcount={rows.length + 1} aria-colcount={columns.length + 4}>
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col">County</th>
              <th scope="col" class="number">
                Yes
              </th>
              <th scope="col" class="number">
                Could
              </th>
              <th scope="col" class="number">
                No
              </th>
              {columns.map(({ name, carrier }) => (
                <th key={carrier} scope="col" class="upright" title={name}>
                  <span>{name}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {from > 0 && <Space pixels={from * ROW_PIXELS} />}
            {rows.slice(from, to).map((row, index) => (
              <tr key={row.fips} aria-rowindex={from + index + 2} class={row.fips === chosen ? 'chosen' : undefined}>
                <th scope="row">
                  <button
                    type="button"
                    class="plain"
                    aria-pressed={row.fips === chosen}
                    onClick={() => choose(row.fips)}
                  >
                    {row.name}
                    {isOneState ? '' : `, ${row.state.toUpperCase()}`}
                  </button>
                </th>
                <td class="number">{row.takes}</td>
                <td class="number">{row.could}</td>
                <td class="number">{row.declines}</td>
                {columns.map(({ carrier }) => (
                  <Cell key={carrier} status={result.statuses[row.codes[carrier]!]!} />
                ))}
              </tr>
            ))}
            {to < rows.length && <Space pixels={(rows.length - to) * ROW_PIXELS} />}
          </tbody>
        </table>
      </section>
      {filter.trim() !== '' && (
        <p class="small soft" role="status">
          {columns.length} of {offering} carriers.
        </p>
      )}
      {absent.length > 0 && (
        <details class="small soft">
          <summary>Not offered in these counties ({absent.length})</summary>
          {absent.join(', ')}
        </details>
      )}
    </>
  );
}

const words = { ...statusWords, not_judged: { mark: '·', word: 'Not evaluated' } } as const;

function Cell({ status }: { readonly status: string }) {
  const { mark, word } = words[status as keyof typeof words] ?? words.not_judged;
  return (
    <td class={`mark cell-${status}`} title={word}>
      <span aria-hidden="true">{mark}</span>
      <span class="only-heard">{word}</span>
    </td>
  );
}

function Space({ pixels }: { readonly pixels: number }) {
  return (
    <tr>
      <td style={{ height: `${pixels}px`, padding: 0 }} />
    </tr>
  );
}
