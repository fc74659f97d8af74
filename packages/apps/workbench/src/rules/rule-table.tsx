import { useLayoutEffect, useState } from 'preact/hooks';
import type { ConditionLine, PlacedText, ReachedRule, RuleRow, TestedCases } from './rules-messages.ts';

const outcomes = ['decline', 'refer', 'require', 'offer', 'inform'] as const;

/** Returns false if the text has changed since its answer: its ranges are unknown until the next one. */
export type WriteOver = (at: readonly [from: number, to: number], value: unknown) => boolean;

interface RuleTableProps {
  readonly rows: readonly RuleRow[];
  readonly all: number;
  readonly tested: TestedCases | undefined;
  readonly show: (from: number, to: number) => void;
  readonly write: WriteOver;
}

/** An edit of a cell changes the text at the same place. */
export function RuleTable({ rows, all, tested, show, write }: RuleTableProps) {
  return (
    <section class="panel stack-tight" aria-labelledby="rules-table">
      <h2 id="rules-table">Rules as a table</h2>
      <p class="small soft">Each change is written into the text above; everything else stays.</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard. */}
      <section class="scroll" tabIndex={0} aria-label="Rules">
        <table class="rule-table">
          <thead>
            <tr>
              {['Rule', 'Program', 'Outcome', 'Code', 'Condition', 'Message'].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
              {tested && <th scope="col">Cases</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.path}>
                <th scope="row">
                  <button type="button" class="plain" onClick={() => show(row.from, row.to)}>
                    {row.id}
                  </button>
                </th>
                <td>{row.program ?? 'all'}</td>
                <td>
                  <Outcome row={row} write={write} />
                </td>
                <td>
                  <Cell of={row.code} label={`Code of ${row.id}`} write={write} />
                </td>
                <td>
                  <Condition row={row} write={write} />
                </td>
                <td>
                  <Cell of={row.message} label={`Message of ${row.id}`} write={write} isLong />
                </td>
                {tested && <Reached reached={tested.reached[row.id]} />}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {all > rows.length && <p class="soft">and {all - rows.length} more in the text.</p>}
    </section>
  );
}

function Outcome({ row: { id, outcome }, write }: { readonly row: RuleRow; readonly write: WriteOver }) {
  const { text, at } = outcome;
  if (at === undefined) return text;
  return (
    <select
      aria-label={`Outcome of ${id}`}
      class={`outcome-${text}`}
      value={text}
      onChange={({ currentTarget }) => write(at, currentTarget.value)}
    >
      {outcomes.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </select>
  );
}

interface CellProps {
  readonly of: PlacedText & { readonly isWord?: boolean };
  readonly label: string;
  readonly write: WriteOver;
  readonly isLong?: boolean;
}

interface Edit {
  /** The text that it replaces. If the text changes, the edit is void. */
  readonly before: string;
  readonly typed: string;
  /** `waiting`: the text has changed since its answer, so the next answer writes the edit. */
  readonly state: 'typing' | 'faulty' | 'waiting' | 'written';
}

/** Written when it loses focus or on Enter; Escape discards the edit. Answers that arrive meanwhile keep the typed text. */
function Cell({ of: { text, at, isWord = true }, label, write, isLong }: CellProps) {
  const [edit, setEdit] = useState<Edit>();
  const current = edit?.before === text ? edit : undefined;
  const take = (typed: string) => {
    if (at === undefined || typed === text) return;
    const value = isWord ? typed : readJson(typed);
    const state = value === undefined ? 'faulty' : write(at, value) ? 'written' : 'waiting';
    setEdit({ before: text, typed, state });
  };
  useLayoutEffect(() => {
    if (current?.state === 'waiting') take(current.typed);
    else if (current?.state === 'written') setEdit(undefined);
  }, [at]);
  if (at === undefined) return <code>{text}</code>;
  const isFaulty = current?.state === 'faulty';
  type Input = HTMLInputElement | HTMLTextAreaElement;
  const props = {
    'aria-label': label,
    'aria-invalid': isFaulty || undefined,
    title: isFaulty ? 'Write a number, true, false, a list in [ ], or text in double quotes.' : undefined,
    value: current?.typed ?? text,
    spellcheck: false,
    onInput: ({ currentTarget }: { readonly currentTarget: Input }) =>
      setEdit({ before: text, typed: currentTarget.value, state: 'typing' }),
    onChange: ({ currentTarget }: { readonly currentTarget: Input }) => take(currentTarget.value),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Escape') setEdit(undefined);
      if (event.key !== 'Enter') return;
      event.preventDefault();
      take((event.currentTarget as Input).value);
    },
  };
  if (isLong) return <textarea rows={Math.min(6, Math.ceil(text.length / 34))} {...props} />;
  return <input size={Math.max(4, Math.min(28, text.length + 1))} {...props} />;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function Condition({ row: { id, condition }, write }: { readonly row: RuleRow; readonly write: WriteOver }) {
  return (
    <ul class="condition">
      {condition.map((line, place) => (
        <li key={place} class={`depth-${Math.min(4, line.depth)}`}>
          {line.words}
          {line.value && <Value of={line.value} label={`${line.words}, of ${id}`} write={write} />}
        </li>
      ))}
    </ul>
  );
}

function Value({ of, ...props }: { of: NonNullable<ConditionLine['value']>; label: string; write: WriteOver }) {
  return (
    <>
      {' '}
      <Cell of={of} {...props} />
    </>
  );
}

const SHADES = 4;

/** Heat of a rule by the number of cases; a square per side of its limits. */
function Reached({ reached }: { readonly reached: ReachedRule | undefined }) {
  if (!reached) return <td>–</td>;
  const { holds, doesNotHold, sides } = reached;
  const met = sides.filter(({ isReached }) => isReached).length;
  return (
    <td class={`heat heat-${holds === 0 ? 0 : Math.min(SHADES, Math.ceil(Math.log2(holds + 1)))}`}>
      {holds === 0 ? 'Holds in no case' : `Holds in ${holds}`}, not in {doesNotHold}
      {sides.length > 0 && (
        <span class="block small">
          <span aria-hidden="true">
            {sides.map(({ words, isReached }) => (
              <span key={words} title={isReached ? words : `${words}: no case`}>
                {isReached ? '■' : '□'}
              </span>
            ))}
          </span>{' '}
          {met} of {sides.length} sides of limits
        </span>
      )}
    </td>
  );
}
