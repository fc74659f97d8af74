import { writeWord } from '@leeward/terms/words';
import { useEffect, useMemo } from 'preact/hooks';
import { places, wantPlaces } from '../address/places.ts';
import { homeLine } from '../lines/served-lines.ts';
import type { WireDecision } from '../service/wire.ts';
import { EvidenceFields } from './evidence-fields.tsx';
import { Choice, FieldInput, helped, helpOf, hintOf, Input, idOf } from './field-input.tsx';
import { exampleOf, form, isFolded } from './home-state.ts';
import { ItemEditor } from './item-editor.tsx';
import { type Typed, takeInto, titleIn } from './line-form.ts';
import { markFields, nextQuestion, settledBy } from './mark-fields.ts';
import { decision, failure } from './verdicts.ts';

/** The address, the type of policy and its date: enough for a first answer. */
export function AddressBar() {
  const { line, typed } = form.value;
  const settles = settledBy('address', typed.value, decision.value);
  return (
    <form class="panel address-bar" aria-label="Location and policy" onSubmit={(event) => event.preventDefault()}>
      <div class="field-grid">
        <Input
          name="address"
          label="Address"
          isWide
          placeholder="Street, city, state, ZIP code"
          hint={hintOf(settles)}
        />
        <Choice
          name="policy_type"
          label="Policy type"
          options={line.policyTypes.map((type) => [type, writeWord(type)])}
          empty="All"
        />
        <Input name="effective_date" label="Effective date" isDate />
      </div>
      <p class="row">
        <button type="button" onClick={() => takeInto(form.value, exampleOf(line))}>
          Show an example
        </button>
        <button type="button" onClick={() => takeInto(form.value, {})}>
          Clear
        </button>
      </p>
    </form>
  );
}

/** The order of fields never changes: one Tab, one field. */
export function HomeForm() {
  useEffect(() => void wantPlaces(), []);
  const { line, typed } = form.value;
  const shownNames = useMemo(() => new Set<string>(), [line]);
  const state = typed.value['state'] ?? '';
  const settlesOf = (name: string) => settledBy(name, typed.value, decision.value);
  // A fault is at its field, and without a state there is no answer.
  const isShort = isFolded.value && state !== '' && !failure.value?.errors.length;
  return (
    <form
      class={`panel stack home-form${line === homeLine ? '' : ' helped'}${isShort ? ' folded' : ''}`}
      aria-label={line.title}
      onSubmit={(event) => event.preventDefault()}
    >
      <NextQuestion />
      <p class="fold">
        <button
          type="button"
          class="plain"
          aria-expanded={!isShort}
          onClick={() => {
            isFolded.value = !isShort;
          }}
        >
          Answers about the {line.noun} ({Object.keys(typed.value).length})
        </button>
      </p>
      <fieldset class="stack-tight">
        <legend class="only-heard">Place</legend>
        <div class="field-grid">
          <Input name="state" label="State" list="states" />
          <Input
            name="county"
            label="County"
            list="counties"
            placeholder={countyOfZip(typed.value, decision.value)}
            hint={hintOf(settlesOf('county'))}
          />
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
      <fieldset class="stack-tight">
        <legend class="group-title">The {line.noun}</legend>
        <div class="field-grid">
          {markFields(line.fields, typed.value, decision.value, shownNames).map(({ field, ...marks }) => {
            const key = `${line.line} ${field.name}`;
            return field.kind === 'list' ? (
              <ItemEditor key={key} list={field} {...marks} />
            ) : (
              <FieldInput key={key} field={field} {...marks} />
            );
          })}
        </div>
      </fieldset>
      <EvidenceFields />
      <fieldset class="stack-tight">
        <legend class="group-title">Coordinates</legend>
        <div class="field-grid">
          <Input name="lat" label="Latitude" mode="decimal" />
          <Input name="lng" label="Longitude" mode="decimal" />
        </div>
      </fieldset>
      {line !== homeLine && <Help />}
    </form>
  );
}

/** The county that the service found by the ZIP code; undefined if one was typed. */
function countyOfZip(typed: Typed, answer: WireDecision | undefined): string | undefined {
  const county = answer?.home['county'];
  return typed['county'] === undefined && typeof county === 'string' ? `${county} (by ZIP)` : undefined;
}

const placeLabels: Readonly<Record<string, string>> = { county: 'County', address: 'Address' };

/** The question that settles most; its button focuses the field. Its space is reserved, so that no field moves. */
function NextQuestion() {
  const { typed } = form.value;
  const answer = decision.value;
  const bad = failure.value;
  const next = answer && nextQuestion(typed.value, answer);
  const label = next && (placeLabels[next.field] ?? titleIn(form.value, next.field));
  return (
    <section class="next-question" aria-labelledby="next-question-title">
      <h2 id="next-question-title">Next question</h2>
      {next ? (
        <p class="row between">
          <button type="button" class="plain" onClick={() => goToField(next.field)}>
            {label}
          </button>
          <span class="hint small">
            {next.would_settle > 0 ? `settles ${next.would_settle}` : `needed by ${countNeeding(answer, next.field)}`}
          </span>
        </p>
      ) : (
        <p class="small soft">
          {answer
            ? answer.carriers.length + answer.declined.length > 0
              ? 'No further answer changes a result.'
              : 'No carrier is waiting for an answer.'
            : bad
              ? bad.errors.length > 0
                ? 'Correct the answer first.'
                : 'No carrier has answered yet.'
              : 'Choose a state to see which question helps most.'}
        </p>
      )}
    </section>
  );
}

const countNeeding = ({ carriers }: WireDecision, field: string) =>
  carriers.filter(({ missing_fields }) => missing_fields.includes(field)).length;

/** Focuses a field: the first of several boxes; of a list the first empty answer, or the button that adds an item. */
function goToField(name: string): void {
  if (isFolded.value) {
    isFolded.value = false;
    // The fields are hidden until they are drawn.
    setTimeout(() => goToField(name));
    return;
  }
  const controls = [
    ...document.querySelectorAll<HTMLInputElement>(`#${idOf(name)}, [id^="${idOf(name)}-"]:is(input, select)`),
  ];
  (controls.find(({ value }) => value === '') ?? controls[0])?.focus();
}

/** Help of the focused field. Its space is reserved. Screen readers read the help at the field. */
function Help() {
  const field = helped.value;
  return (
    <p class="help small" aria-hidden="true">
      {field && form.value.line.fields.includes(field) ? helpOf(field) : 'Help for the selected field appears here.'}
    </p>
  );
}
