import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { places, wantPlaces } from '../address/places.ts';
import { homeLine } from '../lines/served-lines.ts';
import { Choice, FieldInput, helped, helpOf, Input } from './field-input.tsx';
import { exampleOf, form } from './home-state.ts';
import { takeInto } from './line-form.ts';
import { type RankedField, rankFields } from './rank-fields.ts';
import { decision } from './verdicts.ts';

/** What is asked: the place, what is known, what settles most, what else might, and what cannot any more. */
export function HomeForm() {
  useEffect(() => void wantPlaces(), []);
  const shown = useRef<HTMLFormElement>(null);
  useKeptFocus(shown);
  const { line, typed, settled } = form.value;
  const { known, next, later, idle } = rankFields(line.fields, settled.value, decision.value);
  const state = typed.value['state'] ?? '';
  return (
    <form
      ref={shown}
      class={`panel stack home-form${line === homeLine ? '' : ' helped'}`}
      aria-label={line.title}
      onSubmit={(event) => event.preventDefault()}
    >
      <fieldset class="stack-tight">
        <legend class="only-heard">Place and policy</legend>
        <div class="field-grid">
          <Input name="state" label="State" list="states" />
          <Input name="county" label="County" list="counties" />
          <Choice
            name="policy_type"
            label="Policy type"
            options={line.policyTypes.map((type) => [type, type])}
            empty="All"
          />
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
        <button type="button" onClick={() => takeInto(form.value, exampleOf(line))}>
          Show an example
        </button>
        <button type="button" onClick={() => takeInto(form.value, {})}>
          Clear
        </button>
      </p>
      {line !== homeLine && <Help />}
    </form>
  );
}

/** What the field means that one is in. Always in its place, so that nothing moves; it is heard at the field itself. */
function Help() {
  const field = helped.value;
  return (
    <p class="help small" aria-hidden="true">
      {field && form.value.line.fields.includes(field) ? helpOf(field) : 'What a field means is said here.'}
    </p>
  );
}

function FieldGroup({ title, fields }: { readonly title: string; readonly fields: readonly RankedField[] }) {
  if (fields.length === 0) return null;
  const { line } = form.value.line;
  return (
    <fieldset class="stack-tight">
      <legend class="group-title">{title}</legend>
      <div class="field-grid">
        {fields.map(({ field, settles }) => (
          <FieldInput key={`${line} ${field.name}`} field={field} settles={settles} />
        ))}
      </div>
    </fieldset>
  );
}

/** Fields move as they are answered; whoever is in one stays in it, and whoever points elsewhere goes there. */
function useKeptFocus(shown: { readonly current: HTMLElement | null }): void {
  const focused = useRef<string | undefined>(undefined);
  const active = document.activeElement;
  if (active && shown.current?.contains(active)) focused.current = active.id;
  else if (active !== document.body) focused.current = undefined;
  useEffect(() => {
    const leave = ({ target }: PointerEvent) => {
      if ((target as Element | null)?.id !== focused.current) focused.current = undefined;
    };
    addEventListener('pointerdown', leave, true);
    return () => removeEventListener('pointerdown', leave, true);
  }, []);
  useLayoutEffect(() => {
    if (document.activeElement === document.body && focused.current) document.getElementById(focused.current)?.focus();
  });
}
