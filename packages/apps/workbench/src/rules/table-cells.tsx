import { capitalized, readWrittenNumber } from '@leeward/terms';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { ConditionLine, Option, PlacedText, RuleRow, TestValue } from './rules-messages.ts';

/** Returns false if the text has changed since its answer: its ranges are unknown until the next one. */
export type WriteOver = (at: readonly [from: number, to: number], value: unknown) => boolean;

type TypedValue = Extract<TestValue, { readonly kind: 'number' | 'text' }>;

interface CellProps {
  readonly of: TypedValue;
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
export function Cell({ of, label, write, isLong }: CellProps) {
  const { text, at } = of;
  const display = of.kind === 'number' ? of.display : text;
  const [edit, setEdit] = useState<Edit>();
  const current = edit?.before === text ? edit : undefined;
  const take = (typed: string) => {
    if (at === undefined || typed === display) return;
    const value = readTyped(of, typed);
    const state = value === undefined ? 'faulty' : write(at, value) ? 'written' : 'waiting';
    setEdit({ before: text, typed, state });
  };
  useLayoutEffect(() => {
    if (current?.state === 'waiting') take(current.typed);
    else if (current?.state === 'written') setEdit(undefined);
  }, [at]);
  if (at === undefined) return <code>{display}</code>;
  const isFaulty = current?.state === 'faulty';
  type Input = HTMLInputElement | HTMLTextAreaElement;
  const props = {
    'aria-label': label,
    'aria-invalid': isFaulty || undefined,
    title: isFaulty ? faultOf(of) : undefined,
    value: current?.typed ?? display,
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
  return <input size={Math.max(4, Math.min(28, display.length + 1))} {...props} />;
}

function readTyped(of: TypedValue, typed: string): unknown {
  if (of.kind === 'number') return readWrittenNumber(typed);
  return of.isWord ? typed : readJson(typed);
}

const faultOf = ({ kind }: TypedValue): string =>
  kind === 'number'
    ? 'Write a number, such as 15 or $450,000.'
    : 'Write a number, true, false, a list in [ ], or text in double quotes.';

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface ChoiceProps {
  readonly of: PlacedText;
  readonly options: readonly Option[];
  readonly label: string;
  readonly write: WriteOver;
  /** False for true and false. @default true */
  readonly isWord?: boolean;
  readonly className?: string;
}

/** One of some words. */
export function Choice({ of: { text, at }, options, label, write, isWord = true, className }: ChoiceProps) {
  if (at === undefined) return <>{options.find(([value]) => value === text)?.[1] ?? text}</>;
  return (
    <select
      aria-label={label}
      class={className}
      value={text}
      onChange={({ currentTarget: { value } }) => write(at, isWord ? value : readJson(value))}
    >
      {options.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  );
}

/** Some of many words. */
function Choices({
  of: { chosen, options, display, at },
  label,
  write,
}: {
  readonly of: Extract<TestValue, { readonly kind: 'choices' }>;
  readonly label: string;
  readonly write: WriteOver;
}) {
  if (at === undefined) return <>{display}</>;
  const toggle = (value: string) => {
    const next = chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value];
    if (next.length > 0) write(at, next);
  };
  return (
    <details class="choices">
      <summary aria-label={`${label}: ${display}`}>{display}</summary>
      <fieldset>
        <legend class="only-heard">{label}</legend>
        {options.map(([value, words]) => (
          <label key={value} class="row">
            <input
              type={'checkbox' as 'text'}
              checked={chosen.includes(value)}
              disabled={chosen.length === 1 && chosen.includes(value)}
              onChange={() => toggle(value)}
            />
            {words}
          </label>
        ))}
      </fieldset>
    </details>
  );
}

export function Condition({ row: { id, condition }, write }: { readonly row: RuleRow; readonly write: WriteOver }) {
  return (
    <ul class="condition">
      {condition.map((line, place) => (
        <li key={place} class={`depth-${Math.min(4, line.depth)}`}>
          <Line line={line} id={id} write={write} />
        </li>
      ))}
    </ul>
  );
}

function Line({ line, id, write }: { readonly line: ConditionLine; readonly id: string; readonly write: WriteOver }) {
  const { words, label, operator, value } = line;
  if (label === undefined) return <>{words}</>;
  const about = `${capitalized(label)} ${operator?.words ?? ''}, of ${id}`;
  return (
    <>
      {words && <span class="soft">{words} </span>}
      {words ? label : capitalized(label)}{' '}
      {operator &&
        (operator.options.length > 1 ? (
          <Choice of={operator} options={operator.options} label={`Comparison of ${label}, of ${id}`} write={write} />
        ) : (
          operator.words
        ))}{' '}
      {value && <Value of={value} label={about} write={write} />}
    </>
  );
}

function Value({ of, label, write }: { readonly of: TestValue; readonly label: string; readonly write: WriteOver }) {
  switch (of.kind) {
    case 'choice':
      return <Choice of={of} options={of.options} isWord={of.isWord} label={label} write={write} />;
    case 'choices':
      return <Choices of={of} label={label} write={write} />;
    case 'number':
      return (
        <>
          <Cell of={of} label={label} write={write} /> {of.unit}
        </>
      );
    case 'text':
      return <Cell of={of} label={label} write={write} />;
  }
}
