import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { places, wantPlaces } from '../address/places.ts';
import type { HomeField } from './home-field.ts';
import { exampleHome, homeFields, settled, settleField, takeHome, typed, typeField } from './home-state.ts';
import { rankFields } from './rank-fields.ts';
import { decision, trouble } from './verdicts.ts';

export const policyTypes = ['ho3', 'ho5', 'ho8', 'dp1', 'dp3', 'wind only', 'x-wind'];

/** What is asked: the place, what is known, what settles most, what else might, and what cannot any more. */
export function HomeForm() {
  useEffect(() => void wantPlaces(), []);
  const form = useRef<HTMLFormElement>(null);
  useKeptFocus(form);
  const { known, next, later, idle } = rankFields(homeFields, settled.value, decision.value);
  const state = typed.value['state'] ?? '';
  return (
    <form ref={form} class="panel stack home-form" aria-label="Home" onSubmit={(event) => event.preventDefault()}>
      <fieldset class="stack-tight">
        <legend class="only-heard">Place and policy</legend>
        <div class="field-grid">
          <Input name="state" label="State" list="states" />
          <Input name="county" label="County" list="counties" />
          <Choice name="policy_type" label="Policy type" words={policyTypes} empty="All" />
          <Input name="effective_date" label="Effective date" isDate />
          <Input name="address" label="Address" isWide />
          <Input name="lat" label="Latitude" mode="decimal" />
          <Input name="lng" label="Longitude" mode="decimal" />
        </div>
        <datalist id="states">
          {Object.entries(places.value).map(([code, { name }]) => (
            <option key={code} value={code} label={name} />
          ))}
        </datalist>
        <datalist id="counties">
          {places.value[state]?.counties.map(([fips, name]) => (
            <option key={fips} value={name} />
          ))}
        </datalist>
      </fieldset>
      <FieldGroup title="Known" fields={known} />
      <FieldGroup title={known.length === 0 ? 'Ask first' : 'Ask next'} fields={next} />
      <FieldGroup title="Matters to some" fields={later} />
      {idle.length > 0 && (
        <div class="idle">
          <FieldGroup title="No answer changes a status" fields={idle} />
        </div>
      )}
      <p class="row">
        <button type="button" onClick={() => takeHome(exampleHome)}>
          Show an example
        </button>
        <button type="button" onClick={() => takeHome({})}>
          Clear
        </button>
      </p>
    </form>
  );
}

function FieldGroup({ title, fields }: { readonly title: string; readonly fields: readonly RankedField[] }) {
  if (fields.length === 0) return null;
  return (
    <fieldset class="stack-tight">
      <legend class="group-title">{title}</legend>
      <div class="field-grid">
        {fields.map(({ field, settles }) => (
          <FieldInput key={field.name} field={field} settles={settles} />
        ))}
      </div>
    </fieldset>
  );
}

type RankedField = ReturnType<typeof rankFields>['next'][number];

function FieldInput({ field, settles }: { readonly field: HomeField; readonly settles: number }) {
  const label = field.label[0]!.toUpperCase() + field.label.slice(1);
  const hint = settles > 0 ? `settles ${settles}` : undefined;
  if (field.words) return <Choice name={field.name} label={label} hint={hint} words={field.words} empty="Not given" />;
  const unit = field.unit === undefined ? '' : ` (${field.unit})`;
  return <Input name={field.name} label={`${label}${unit}`} hint={hint} mode={field.integer ? 'numeric' : 'decimal'} />;
}

interface Shared {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
}

function Labelled({
  name,
  label,
  hint,
  isWide,
  children,
}: Shared & { readonly isWide?: boolean | undefined; readonly children: preact.ComponentChildren }) {
  const fault = faultOf(name);
  return (
    <div class={isWide ? 'field wide' : 'field'}>
      <label for={`home-${name}`}>
        {label}
        {hint && <span class="hint"> {hint}</span>}
      </label>
      {children}
      {fault && (
        <p class="fault" id={`home-${name}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}

function faultOf(name: string): string | undefined {
  return trouble.value?.errors.find(({ path }) => path === `/${name}`)?.message;
}

const faultWords = (name: string) =>
  faultOf(name) === undefined ? {} : ({ 'aria-invalid': 'true', 'aria-describedby': `home-${name}-fault` } as const);

interface InputProps extends Shared {
  readonly list?: string;
  readonly isDate?: true;
  readonly mode?: 'numeric' | 'decimal';
  readonly isWide?: boolean;
}

function Input({ name, label, hint, list, isDate, mode, isWide }: InputProps) {
  return (
    <Labelled name={name} label={label} hint={hint} isWide={isWide}>
      <input
        id={`home-${name}`}
        type={(isDate ? 'date' : 'text') as 'text'}
        autocomplete="off"
        spellcheck={false}
        value={typed.value[name] ?? ''}
        onInput={({ currentTarget }) => typeField(name, currentTarget.value)}
        onChange={() => settleField(name)}
        {...(list ? { list } : {})}
        {...(mode ? { inputMode: mode } : {})}
        {...faultWords(name)}
      />
    </Labelled>
  );
}

interface ChoiceProps extends Shared {
  readonly words: readonly string[];
  readonly empty: string;
}

function Choice({ name, label, hint, words, empty }: ChoiceProps) {
  const value = typed.value[name] ?? '';
  return (
    <Labelled name={name} label={label} hint={hint}>
      <select
        id={`home-${name}`}
        value={value}
        onChange={({ currentTarget }) => {
          typeField(name, currentTarget.value);
          settleField(name);
        }}
        {...faultWords(name)}
      >
        <option value="">{empty}</option>
        {value !== '' && !words.includes(value) && <option value={value}>{value}</option>}
        {words.map((word) => (
          <option key={word} value={word}>
            {word}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

/** Fields move as they are answered; whoever is in one stays in it. */
function useKeptFocus(form: { readonly current: HTMLElement | null }): void {
  const focused = useRef<string | undefined>(undefined);
  const active = document.activeElement;
  if (active && form.current?.contains(active)) focused.current = active.id;
  else if (active !== document.body) focused.current = undefined;
  useLayoutEffect(() => {
    if (document.activeElement === document.body && focused.current) document.getElementById(focused.current)?.focus();
  });
}
