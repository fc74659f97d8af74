import type { RequestField } from '@leeward/engine/vocabulary';
import { capitalized, writeWord } from '@leeward/terms/words';
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { dateInput } from '../design/date-input.ts';
import { nameFault } from '../service/name-faults.ts';
import { form } from './home-state.ts';
import { evidenceParts, labelIn, readSet, titleIn, typeInto } from './line-form.ts';
import type { MarkedField } from './mark-fields.ts';
import { failure } from './verdicts.ts';
import { showNumber, type WrittenField } from './written-value.ts';

/** The focused field, if it has help. */
export const helped = signal<RequestField | undefined>(undefined);

export function FieldInput({ field, settles, isIdle }: MarkedField) {
  const { name } = field;
  const label = labelOf(field);
  const shared = { name, label, hint: hintOf(settles), isIdle, field };
  switch (field.kind) {
    case 'word':
      return <Choice {...shared} options={field.words.map((word) => [word, writeWord(word)])} empty="Not given" />;
    case 'flag':
      return <Choice {...shared} options={yesOrNo} empty="Not given" />;
    case 'date':
      return <Input {...shared} isDate />;
    case 'set':
      return <Several {...shared} words={field.words} />;
    case 'zipcode':
      return <Input {...shared} mode="numeric" />;
    case 'list':
      throw new Error('Use ItemEditor for a list.');
    default:
      // A numeric keyboard would lack the minus sign.
      return (
        <Input {...shared} mode={field.min < 0 ? undefined : field.integer ? 'numeric' : 'decimal'} number={field} />
      );
  }
}

/** The mark of a field whose answer settles verdicts. */
export const hintOf = (settles: number): string | undefined => (settles > 0 ? `settles ${settles}` : undefined);

/** The label, with the unit unless the label contains it. */
export function labelOf({ label, unit, kind }: Pick<RequestField, 'label' | 'unit' | 'kind'>): string {
  const isSaid = unit === undefined || label.split(' ').includes(unit);
  return `${capitalized(label)}${isSaid || kind !== 'number' ? '' : ` (${unit})`}`;
}

export const yesOrNo = [
  ['true', 'Yes'],
  ['false', 'No'],
] as const;

export function helpOf(field: RequestField): string {
  const { description = '', unit } = field;
  // A year has no thousands separator and no unit.
  const number = (value: number) => (unit === 'year' ? String(value) : value.toLocaleString('en-US'));
  switch (field.kind) {
    case 'number':
      return `${description} From ${number(field.min)} to ${number(field.max)}${unit && unit !== 'year' ? ` ${unit}` : ''}.`;
    case 'date':
      return `${description} From ${field.min} to ${field.max}.`;
    case 'set':
      return `${description} Ticking a value, or “none”, marks the others as absent.`;
    default:
      return description;
  }
}

/** The id of the control of a field. The name of an item's field is a path: `losses/0/date`; evidence is `roof_age.as_of`. */
export const idOf = (name: string): string => `home-${name.replaceAll(/[/.]/g, '-')}`;

export interface Shared {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly isIdle?: boolean;
  /** The field whose help is shown and announced. */
  readonly field?: RequestField;
  /** The answer and its fault, if they are not those of the form's field. */
  readonly answer?: Answer;
}

export interface Answer {
  readonly text: string;
  type(text: string): void;
  readonly fault: string | undefined;
}

const isHelped = (field: RequestField | undefined) => field?.description !== undefined;

function faultOf({ name, answer }: Shared): string | undefined {
  if (answer) return answer.fault;
  // The fault of evidence appears at the field of the evidence.
  const own = `/${name.replace('.', '/')}`;
  const evidence = evidenceParts.map((part) => `${own}/${part}`);
  const fault = failure.value?.errors.find(
    ({ path }) => path === own || (path.startsWith(`${own}/`) && !evidence.includes(path)),
  );
  return fault && nameFault(fault, titleIn(form.value, name));
}

const textOf = ({ name, answer }: Shared): string => answer?.text ?? form.value.typed.value[name] ?? '';

function type({ name, answer }: Shared, text: string): void {
  if (answer) answer.type(text);
  else typeInto(form.value, name, text);
}

/** Attributes that describe a field to screen readers, and the focus handler for its help. */
export function attributesOf(shared: Shared) {
  const { name, hint, field } = shared;
  const id = idOf(name);
  const isWrong = faultOf(shared) !== undefined;
  const isMissing = !isWrong && form.value.missing.value.has(name);
  const ids = [
    ...(isWrong ? [`${id}-fault`] : []),
    ...(hint !== undefined ? [`${id}-settles`] : []),
    ...(isMissing ? [`${id}-missing`] : []),
    ...(isHelped(field) ? [`${id}-help`] : []),
  ];
  return {
    ...(isWrong ? { 'aria-invalid': 'true' as const } : {}),
    ...(ids.length > 0 ? { 'aria-describedby': ids.join(' ') } : {}),
    onFocus: () => {
      helped.value = isHelped(field) ? field : undefined;
    },
  };
}

/** The fault of a field, or the answer that requires it. */
export function Remark(shared: Shared) {
  const { name } = shared;
  const fault = faultOf(shared);
  const partner = form.value.missing.value.get(name);
  if (fault !== undefined)
    return (
      <p class="fault" id={`${idOf(name)}-fault`}>
        {fault}
      </p>
    );
  return partner === undefined ? null : (
    <p class="small soft" id={`${idOf(name)}-missing`}>
      Needed with the {labelIn(form.value, partner)}.
    </p>
  );
}

export function Heard({ name, field }: Shared) {
  return field && isHelped(field) ? (
    <span class="only-heard" id={`${idOf(name)}-help`}>
      {helpOf(field)}
    </span>
  ) : null;
}

function Labelled({
  isWide,
  children,
  ...shared
}: Shared & { readonly isWide?: boolean | undefined; readonly children: ComponentChildren }) {
  const { name, label, hint, isIdle } = shared;
  return (
    <div class={`field${isWide ? ' wide' : ''}${isIdle ? ' idle' : ''}`}>
      <label for={idOf(name)}>{label}</label>
      <div class="control">
        {children}
        {hint && (
          <span class="hint" id={`${idOf(name)}-settles`}>
            {hint}
          </span>
        )}
      </div>
      <Heard {...shared} />
      <Remark {...shared} />
    </div>
  );
}

interface InputProps extends Shared {
  readonly list?: string;
  readonly isDate?: true;
  readonly mode?: 'numeric' | 'decimal' | undefined;
  readonly isWide?: boolean;
  readonly placeholder?: string | undefined;
  /** For numbers: shown with separators and the sign of money, except while they are typed. */
  readonly number?: WrittenField;
}

export function Input({ list, isDate, mode, isWide, placeholder, number, ...shared }: InputProps) {
  const text = textOf(shared);
  const [edited, setEdited] = useState<string>();
  return (
    <Labelled {...shared} isWide={isWide}>
      <input
        id={idOf(shared.name)}
        {...(isDate ? dateInput : { type: 'text' as const })}
        autocomplete="off"
        spellcheck={false}
        value={number === undefined || text === edited ? text : showNumber(text, number)}
        onInput={({ currentTarget }) => {
          setEdited(currentTarget.value);
          type(shared, currentTarget.value);
        }}
        onBlur={() => setEdited(undefined)}
        {...(list ? { list } : {})}
        {...(placeholder ? { placeholder } : {})}
        {...(mode ? { inputMode: mode } : {})}
        {...attributesOf(shared)}
      />
    </Labelled>
  );
}

interface ChoiceProps extends Shared {
  /** The value in the request, and its text. */
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly empty: string;
}

export function Choice({ options, empty, ...shared }: ChoiceProps) {
  const value = textOf(shared);
  return (
    <Labelled {...shared}>
      <select
        id={idOf(shared.name)}
        value={value}
        onChange={({ currentTarget }) => type(shared, currentTarget.value)}
        {...attributesOf(shared)}
      >
        <option value="">{empty}</option>
        {value !== '' && !options.some(([optionValue]) => optionValue === value) && (
          <option value={value}>{value}</option>
        )}
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

/** Any number of words. An empty set differs from no answer. */
function Several({ words, ...shared }: Shared & { readonly words: readonly string[] }) {
  const { name, label, hint, isIdle } = shared;
  const text = form.value.typed.value[name];
  const chosen = text === undefined ? undefined : readSet(text);
  const take = (next: readonly string[] | undefined) =>
    typeInto(form.value, name, next === undefined ? '' : JSON.stringify(next));
  const tick = (word: string, isOn: boolean) => {
    const others = (chosen ?? []).filter((each) => each !== word);
    const next = isOn ? [...others, word] : others;
    take(next.length === 0 ? undefined : next);
  };
  const attributes = attributesOf(shared);
  return (
    <fieldset class={`wide several${isIdle ? ' idle' : ''}`}>
      <legend>
        {label}
        {hint && (
          <span class="hint" id={`${idOf(name)}-settles`}>
            {' '}
            {hint}
          </span>
        )}
      </legend>
      <div class="row">
        {words.map((word) => (
          <label key={word}>
            <input
              type="checkbox"
              id={`home-${name}-${word.replaceAll(' ', '-')}`}
              checked={chosen?.includes(word) ?? false}
              onChange={({ currentTarget }) => tick(word, currentTarget.checked)}
              {...attributes}
            />{' '}
            {writeWord(word)}
          </label>
        ))}
        <label>
          <input
            type="checkbox"
            id={`home-${name}--none`}
            checked={chosen?.length === 0}
            onChange={({ currentTarget }) => take(currentTarget.checked ? [] : undefined)}
            {...attributes}
          />{' '}
          none of them
        </label>
      </div>
      <Heard {...shared} />
      <Remark {...shared} />
    </fieldset>
  );
}
