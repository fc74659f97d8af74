import { capitalized, writeWord } from '@leeward/terms/words';
import { useEffect, useRef } from 'preact/hooks';
import { dateInput } from '../design/date-input.ts';
import { homeForm } from '../home/home-state.ts';
import { labelIn } from '../home/line-form.ts';
import { FailureNotice } from '../service/failure-notice.tsx';
import { type LabelAt, nameFault } from '../service/name-faults.ts';
import { session } from '../service/session.ts';
import { ChooseRates } from './choose-rates.tsx';
import { groupFields, inputLabelOf, labelOf } from './field-groups.ts';
import {
  fillExamples,
  otherAnswers,
  producer,
  type QuoteField,
  selectedCarriers,
  selectedForms,
  typedFields,
  valueIn,
} from './quote-form-state.ts';
import { failure, isSending, startQuote } from './quote-state.ts';
import { amountWords } from './quote-words.ts';

const labelsOutside: Readonly<Record<string, string>> = {
  '/assigned_producer_email': 'Producer’s e-mail',
  '/form_types': 'Form types',
  '/carrier_keys': 'Carriers',
};

export function QuoteForm({ fields }: { readonly fields: readonly QuoteField[] }) {
  const form = useRef<HTMLFormElement>(null);
  const names = new Set(fields.map(({ name }) => name));
  const faults = failure.value?.errors ?? [];
  const labelAt: LabelAt = (path) => {
    const name = /^\/fields\/(\w+)$/.exec(path)?.[1];
    return name !== undefined && names.has(name) ? labelOf(name) : labelsOutside[path];
  };
  const faultOf = (path: string) => {
    const fault = faults.find((each) => each.path === path);
    return fault && nameFault(fault, labelAt(path) ?? '');
  };
  const faultIn = ({ name }: QuoteField) => faultOf(`/fields/${name}`);
  const send = async (event: Event) => {
    event.preventDefault();
    if (isSending.value) return;
    const focused = document.activeElement;
    const hasTyped = followInput(form.current);
    const id = await startQuote(fields);
    // Leave the focus of a user who went on meanwhile.
    const isWaiting = !hasTyped() && document.activeElement === focused;
    if (id !== undefined) location.hash = `#/quotes?${new URLSearchParams({ quote: id })}`;
    else if (isWaiting) setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  const { groups, answered } = groupFields(fields);
  const rates = `${count(selectedCarriers.value.length, 'carrier')}, ${count(selectedForms.value.length, 'form type')}`;
  return (
    <form ref={form} class="panel stack" aria-label="Quote request" onSubmit={(event) => void send(event)}>
      {failure.value && <FailureNotice failure={failure.value} labelAt={labelAt} />}
      <ChooseRates faultOf={faultOf} />
      <KnownFields fields={answered} others={otherAnswers(fields).map(([name]) => name)} faultIn={faultIn} />
      {groups.map(({ title, fields: ofGroup }) => (
        <fieldset key={title} class="stack-tight">
          <legend class="group-title">{title}</legend>
          <div class="field-grid">
            {ofGroup.map((field) => (
              <QuoteInput key={field.name} field={field} fault={faultIn(field)} />
            ))}
          </div>
        </fieldset>
      ))}
      <fieldset class="stack-tight">
        <legend class="group-title">Producer</legend>
        <div class="field-grid">
          <Field
            id="quote-producer"
            label={labelsOutside['/assigned_producer_email']!}
            fault={faultOf('/assigned_producer_email')}
          >
            <input
              id="quote-producer"
              value={producer.value ?? session.value?.producer ?? ''}
              onInput={({ currentTarget }) => {
                producer.value = currentTarget.value.trim();
              }}
              {...faulty('quote-producer', faultOf('/assigned_producer_email'))}
            />
          </Field>
        </div>
      </fieldset>
      <p class="row">
        <button type="submit" class="main" aria-disabled={isSending.value}>
          {isSending.value ? 'Asking …' : 'Get quotes'}
        </button>
        <span class="small soft">{rates}</span>
        <button type="button" onClick={() => fillExamples(fields)}>
          Fill with examples
        </button>
        <button
          type="button"
          onClick={() => {
            typedFields.value = {};
          }}
        >
          Clear
        </button>
      </p>
    </form>
  );
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

interface KnownFieldsProps {
  readonly fields: readonly QuoteField[];
  /** Names of other answers that are sent. */
  readonly others: readonly string[];
  readonly faultIn: (field: QuoteField) => string | undefined;
}

/** Answers of the home, which the user can change for the quote. */
function KnownFields({ fields, others, faultIn }: KnownFieldsProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const hasFault = fields.some((field) => faultIn(field) !== undefined);
  useEffect(() => {
    if (hasFault && details.current) details.current.open = true;
  }, [hasFault]);
  if (fields.length === 0 && others.length === 0) return null;
  return (
    <section class="stack-tight" aria-labelledby="quote-known">
      <h2 class="group-title" id="quote-known">
        From the home
      </h2>
      <dl class="quote-known">
        {fields.map((field) => (
          <div key={field.name}>
            <dt>{labelOf(field.name)}</dt>
            <dd>{field.name === 'dwelling_a' ? amountWords(valueIn(field)) : shownValue(field)}</dd>
          </div>
        ))}
      </dl>
      {others.length > 0 && (
        <p class="small soft">Also sent: {others.map((name) => labelIn(homeForm, name)).join(', ')}.</p>
      )}
      {fields.length > 0 && (
        <details ref={details}>
          <summary class="small">Change these answers for the quote</summary>
          <div class="field-grid">
            {fields.map((field) => (
              <QuoteInput key={field.name} field={field} fault={faultIn(field)} />
            ))}
          </div>
        </details>
      )}
    </section>
  );
}

function shownValue(field: QuoteField): string {
  const value = valueIn(field);
  if (field.name === 'state') return value.toUpperCase();
  return field.words || field.name === 'county' ? capitalized(writeWord(value)) : value;
}

function QuoteInput({ field, fault }: { readonly field: QuoteField; readonly fault: string | undefined }) {
  const { name, description, words: choices, isDate, isNumber, example } = field;
  const id = `quote-${name}`;
  const take = (text: string) => {
    typedFields.value = { ...typedFields.value, [name]: text };
  };
  const value = valueIn(field);
  return (
    <Field id={id} label={inputLabelOf(name)} fault={fault}>
      {choices ? (
        <select
          id={id}
          title={description}
          value={value}
          onChange={({ currentTarget }) => take(currentTarget.value)}
          {...faulty(id, fault)}
        >
          <option value="">Choose</option>
          {choices.map((each) => (
            <option key={each} value={each}>
              {capitalized(writeWord(each))}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          {...(isDate ? dateInput : { type: 'text' as const })}
          title={description}
          placeholder={example ?? ''}
          autocomplete="off"
          spellcheck={false}
          value={value}
          onInput={({ currentTarget }) => take(currentTarget.value)}
          {...(isNumber ? { inputMode: 'numeric' as const } : {})}
          {...faulty(id, fault)}
        />
      )}
    </Field>
  );
}

function Field({
  id,
  label,
  fault,
  children,
}: {
  readonly id: string;
  readonly label: string;
  readonly fault?: string | undefined;
  readonly children: preact.ComponentChildren;
}) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {fault && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}

const faulty = (id: string, fault: string | undefined) =>
  fault === undefined ? {} : ({ 'aria-invalid': 'true', 'aria-describedby': `${id}-fault` } as const);

/** Returns a function that ends following and returns true if the user typed meanwhile. */
function followInput(form: HTMLFormElement | null): () => boolean {
  let hasTyped = false;
  const note = () => {
    hasTyped = true;
  };
  form?.addEventListener('input', note);
  return () => {
    form?.removeEventListener('input', note);
    return hasTyped;
  };
}
