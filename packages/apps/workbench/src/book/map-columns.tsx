import { capitalized, writeWord } from '@leeward/terms/words';
import { Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PeekedBook, PreviewRow } from '../evaluate/evaluator-messages.ts';
import type { WireRuleSets } from '../service/wire.ts';
import { evaluateWith, previewRows, stopBook } from './book-state.ts';
import {
  type Columns,
  type ColumnUse,
  chosenColumns,
  missingFields,
  remember,
  remembered,
  startingColumns,
  withUse,
} from './column-choices.ts';

interface MapColumnsProps {
  readonly file: File;
  readonly peeked: PeekedBook;
  readonly rules: WireRuleSets;
}

/** Chooses the field of each column, with guesses, and shows the first rows as they will be read. */
export function MapColumns({ file, peeked, rules }: MapColumnsProps) {
  const { names, titles, samples } = peeked;
  const [columns, setColumns] = useState<Columns>(() => startingColumns(peeked));
  const [preview, setPreview] = useState<readonly PreviewRow[]>([]);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    let isHere = true;
    previewRows(chosenColumns(peeked, columns)).then(
      (rows) => isHere && setPreview(rows),
      () => {},
    );
    return () => {
      isHere = false;
    };
  }, [columns]);
  const recognized = columns.uses.filter((use) => typeof use !== 'string').length;
  const missing = missingFields(columns);
  const evaluate = (event: Event) => {
    event.preventDefault();
    if (missing.length > 0) return;
    const uses = Object.fromEntries(names.map((name, place) => [name, columns.uses[place]!]));
    remember({ uses: { ...remembered.value.uses, ...uses }, constants: columns.constants });
    void evaluateWith(file, chosenColumns(peeked, columns), rules);
  };
  return (
    <form class="panel stack" aria-labelledby="columns-title" onSubmit={evaluate}>
      <div class="stack-tight">
        <h2 id="columns-title" tabIndex={-1} ref={heading}>
          {recognized} of {names.length} columns recognized
        </h2>
        <p class="small soft">
          {file.name}. Check what each column is. Columns that are kept, such as policy numbers, appear in every list
          and download.
        </p>
      </div>
      <ul class="columns">
        {names.map((name, place) => (
          <li key={name}>
            <label for={`column-${place}`}>
              <strong>{name === '' ? 'Without a name' : titles[place]}</strong>
              <span class="block small soft">{sampleOf(samples[place]!)}</span>
            </label>
            <UseSelect
              id={`column-${place}`}
              use={columns.uses[place]!}
              peeked={peeked}
              choose={(use) => setColumns(withUse(columns, place, use))}
            />
          </li>
        ))}
      </ul>
      {(missing.length > 0 || Object.keys(columns.constants).length > 0) && (
        <fieldset class="columns-all stack-tight">
          <legend>Equal for all policies</legend>
          {constantFields(columns).map((field) => (
            <p class="row" key={field}>
              <label for={`every-${field}`}>{constantLabels[field]}</label>
              <ConstantSelect
                field={field}
                peeked={peeked}
                value={columns.constants[field] ?? ''}
                choose={(value) => setColumns({ ...columns, constants: { ...columns.constants, [field]: value } })}
              />
            </p>
          ))}
        </fieldset>
      )}
      <Preview peeked={peeked} columns={columns} rows={preview} />
      <p class="row">
        <button type="submit" class="main" aria-disabled={missing.length > 0}>
          Check the book
        </button>
        <button type="button" onClick={stopBook}>
          Cancel
        </button>
        {missing.length > 0 && (
          <span role="status">
            Choose {missing.map((field) => `the column of the ${constantLabels[field].toLowerCase()}`).join(' and ')},
            or one value for every policy.
          </span>
        )}
      </p>
    </form>
  );
}

const constantLabels = { state: 'State', policy_type: 'Form' } as const;
type ConstantField = keyof typeof constantLabels;

const constantFields = (columns: Columns): readonly ConstantField[] =>
  (['state', 'policy_type'] as const).filter(
    (field) => columns.constants[field] !== undefined || missingFields(columns).includes(field),
  );

function sampleOf(values: readonly string[]): string {
  const some = [...new Set(values.filter((value) => value !== ''))].slice(0, 3);
  return some.length === 0 ? 'empty' : some.join(' · ');
}

interface UseSelectProps {
  readonly id: string;
  readonly use: ColumnUse;
  readonly peeked: PeekedBook;
  readonly choose: (use: ColumnUse) => void;
}

function UseSelect({ id, use, peeked: { fields }, choose }: UseSelectProps) {
  const byLabel = (isUsual: boolean) =>
    fields.filter((field) => field.isUsual === isUsual).sort((a, b) => a.label.localeCompare(b.label));
  return (
    <select
      id={id}
      value={typeof use === 'string' ? use : `field ${use.field}`}
      onChange={({ currentTarget: { value } }) =>
        choose(value === 'extra' || value === 'unused' ? value : { field: value.slice('field '.length) })
      }
    >
      <option value="extra">Keep in lists</option>
      <option value="unused">Leave out</option>
      {[true, false].map((isUsual) => (
        <optgroup key={String(isUsual)} label={isUsual ? 'Usual fields' : 'Other fields'}>
          {byLabel(isUsual).map(({ name, label }) => (
            <option key={name} value={`field ${name}`}>
              {capitalized(label)}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}

interface ConstantSelectProps {
  readonly field: ConstantField;
  readonly peeked: PeekedBook;
  readonly value: string;
  readonly choose: (value: string) => void;
}

function ConstantSelect({ field, peeked, value, choose }: ConstantSelectProps) {
  const options = field === 'state' ? peeked.states : peeked.policyTypes;
  return (
    <select
      id={`every-${field}`}
      class="short"
      value={value}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      <option value="">Choose …</option>
      {options.map((option) => (
        <option key={option} value={option}>
          {writeWord(option)}
        </option>
      ))}
    </select>
  );
}

interface PreviewProps {
  readonly peeked: PeekedBook;
  readonly columns: Columns;
  readonly rows: readonly PreviewRow[];
}

function Preview({ peeked: { names, titles, samples, fields }, columns, rows }: PreviewProps) {
  const visible = names.flatMap((name, place) => {
    const use = columns.uses[place]!;
    if (use === 'unused') return [];
    const field = typeof use === 'string' ? undefined : use.field;
    return [{ name, place, field, label: fields.find((each) => each.name === field)?.label ?? titles[place]! }];
  });
  const faulty = rows.filter(({ faults }) => faults.length > 0).length;
  return (
    <section class="stack-tight" aria-labelledby="columns-preview">
      <h3 id="columns-preview">The first rows as they will be read</h3>
      {faulty > 0 && (
        <p class="small">
          {faulty} of {rows.length} would be rejected.
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard. */}
      <section class="scroll" tabIndex={0} aria-label="The first rows">
        <table class="preview">
          <thead>
            <tr>
              {visible.map(({ name, label }) => (
                <th key={name} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ values, faults }, row) => (
              <Fragment key={row}>
                <tr>
                  {visible.map(({ name, place, field }) => (
                    <td key={name}>{field === undefined ? samples[place]![row] : (values[field] ?? '')}</td>
                  ))}
                </tr>
                {faults.length > 0 && (
                  <tr>
                    <td colSpan={visible.length} class="preview-fault">
                      Rejected: {faults.join(' ')}
                    </td>
                  </tr>
                )}
              </Fragment>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}
