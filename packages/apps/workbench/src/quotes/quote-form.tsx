import { useRef } from 'preact/hooks';
import { FailureNotice } from '../service/failure-notice.tsx';
import { type LabelAt, nameFault } from '../service/name-faults.ts';
import { session } from '../service/session.ts';
import type { WireProducts } from '../service/wire.ts';
import {
  fillExamples,
  fromHome,
  producer,
  product,
  type QuoteField,
  typedFields,
  valueIn,
} from './quote-form-state.ts';
import { failure, isSending, startQuote } from './quote-state.ts';

const PRODUCER = 'Producer’s e-mail';

interface QuoteFormProps {
  readonly fields: readonly QuoteField[];
  readonly products: WireProducts['products'];
}

export function QuoteForm({ fields, products }: QuoteFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const names = new Set(fields.map(({ name }) => name));
  const faults = failure.value?.errors ?? [];
  const labelAt: LabelAt = (path) => {
    if (path === '/assigned_producer_email') return PRODUCER;
    const name = /^\/fields\/(\w+)$/.exec(path)?.[1];
    return name !== undefined && names.has(name) ? words(name) : undefined;
  };
  const faultOf = (path: string) => {
    const fault = faults.find((each) => each.path === path);
    return fault && nameFault(fault, labelAt(path) ?? '');
  };
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
  const besides = Object.keys(fromHome.value).filter((name) => !names.has(name));
  return (
    <form ref={form} class="panel stack" aria-label="Quote request" onSubmit={(event) => void send(event)}>
      {failure.value && <FailureNotice failure={failure.value} labelAt={labelAt} />}
      <div class="field-grid">
        <Field id="quote-product" label="Product">
          <select
            id="quote-product"
            value={product.value}
            onChange={({ currentTarget }) => {
              product.value = currentTarget.value;
            }}
          >
            {products.map(({ product_code, product: name }) => (
              <option key={product_code} value={product_code}>
                {name}
              </option>
            ))}
          </select>
        </Field>
        <Field id="quote-producer" label={PRODUCER} fault={faultOf('/assigned_producer_email')}>
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
      <div class="field-grid">
        {fields.map((field) => (
          <QuoteInput key={field.name} field={field} fault={faultOf(`/fields/${field.name}`)} />
        ))}
      </div>
      {besides.length > 0 && <p class="small soft">Also sent, from the home: {besides.map(words).join(', ')}.</p>}
      <p class="row">
        <button type="submit" class="main" aria-disabled={isSending.value}>
          {isSending.value ? 'Asking …' : 'Ask the carriers'}
        </button>
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

function QuoteInput({ field, fault }: { readonly field: QuoteField; readonly fault: string | undefined }) {
  const { name, description, words: choices, isDate, example } = field;
  const id = `quote-${name}`;
  const take = (text: string) => {
    typedFields.value = { ...typedFields.value, [name]: text };
  };
  const value = valueIn(name);
  return (
    <Field id={id} label={words(name)} fault={fault}>
      {choices ? (
        <select
          id={id}
          title={description}
          value={value}
          onChange={({ currentTarget }) => take(currentTarget.value)}
          {...faulty(id, fault)}
        >
          <option value="">Choose</option>
          {value !== '' && !choices.includes(value) && <option value={value}>{value}</option>}
          {choices.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          type={(isDate ? 'date' : 'text') as 'text'}
          title={description}
          placeholder={example ?? ''}
          autocomplete="off"
          spellcheck={false}
          value={value}
          onInput={({ currentTarget }) => take(currentTarget.value)}
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

/** Labels for short field names. */
const labels: Readonly<Record<string, string>> = {
  insured_email: 'E-mail',
  insured_date_of_birth: 'Date of birth',
  insured_phone: 'Telephone',
  dwelling_a: 'Coverage A (dollars)',
  zipcode: 'ZIP code',
  roof_option: 'Roof covering',
  construction_type_options: 'Construction',
};

function words(name: string): string {
  const label = labels[name];
  if (label !== undefined) return label;
  const text = name.replaceAll('_', ' ');
  return text[0]!.toUpperCase() + text.slice(1);
}

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
