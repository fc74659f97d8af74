import { capitalized, writeWord } from '@leeward/terms/words';
import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { places, wantPlaces } from '../address/places.ts';
import { CheckRow } from '../design/check-row.tsx';
import { type ShownStatus, statusWords } from '../design/policy-statuses.ts';
import { StatusMark } from '../design/status-mark.tsx';
import type { Appetite, AppetiteRow } from '../evaluate/evaluator-messages.ts';
import { RequireRules } from '../evaluate/require-rules.tsx';
import { exampleOf, homeForm, homeLink } from '../home/home-state.ts';
import { labelIn, takeInto, titleAt, typeInto } from '../home/line-form.ts';
import { describeAnswer } from '../home/written-value.ts';
import { CountyMap, type Step } from '../map/county-map.tsx';
import { StepLegend } from '../map/step-legend.tsx';
import { nameFault } from '../service/name-faults.ts';
import {
  appetite,
  carrierFilter,
  chosenCounty,
  chosenState,
  countyVerdicts,
  failure,
  followAppetite,
  missingFields,
  movedField,
  movedTo,
  sliderFields,
  state,
} from './appetite-state.ts';
import { CountyTable } from './county-table.tsx';
import { describeAnswers, describeCounties } from './describe-answers.ts';

export function AppetiteView() {
  return (
    <>
      <h1>Carriers by county</h1>
      <RequireRules
        what="Counties are evaluated"
        otherwise="Request a token with that scope, or evaluate the home county by county in the view Home."
      >
        {() => <AppetiteMap />}
      </RequireRules>
    </>
  );
}

const isMostFirst = signal(false);
/** Missing answers that are named. */
const MAX_NAMED = 6;

function AppetiteMap() {
  useEffect(() => {
    void wantPlaces();
    return followAppetite();
  }, []);
  const result = appetite.value;
  return (
    <>
      <Controls />
      {failure.value && (
        <p class="notice bad" role="alert">
          {failure.value}
        </p>
      )}
      {result === undefined && <p class="panel soft">Evaluating the counties …</p>}
      {result?.ok === false && (
        <div class="notice bad" role="alert">
          <p>
            <strong>The home has errors.</strong>{' '}
            {result.errors.map((fault) => nameFault(fault, titleAt(homeForm, fault.path) ?? '')).join(' ')}
          </p>
          <p>
            <a href={homeLink.value}>Correct it in the form</a>
          </p>
        </div>
      )}
      {result?.ok && <Found result={result} />}
    </>
  );
}

function Controls() {
  const field = sliderFields.find(({ name }) => name === movedField.value) ?? sliderFields[0]!;
  const fieldValue = homeForm.values.value[field.name];
  const value = movedTo.value ?? (typeof fieldValue === 'number' ? fieldValue : undefined);
  const { min, max } = rangeOf(field.name, field.min, field.max);
  return (
    <section class="panel stack-tight" aria-label="Question">
      <div class="field-grid appetite-controls">
        <div class="field">
          <label for="appetite-state">State</label>
          <select
            id="appetite-state"
            value={state.value}
            onChange={({ currentTarget }) => {
              chosenState.value = currentTarget.value;
              chosenCounty.value = undefined;
            }}
          >
            <option value="">All states</option>
            {Object.entries(places.value).map(([code, { name }]) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="appetite-type">Policy type</label>
          <select
            id="appetite-type"
            value={homeForm.typed.value['policy_type'] ?? ''}
            onChange={({ currentTarget }) => typeInto(homeForm, 'policy_type', currentTarget.value)}
          >
            <option value="">All types</option>
            {homeForm.line.policyTypes.map((type) => (
              <option key={type} value={type}>
                {writeWord(type)}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="appetite-field">Change</label>
          <select
            id="appetite-field"
            value={field.name}
            onChange={({ currentTarget }) => {
              movedField.value = currentTarget.value;
              movedTo.value = undefined;
            }}
          >
            {sliderFields.map(({ name, label }) => (
              <option key={name} value={name}>
                {capitalized(label)}
              </option>
            ))}
          </select>
        </div>
        <div class="field wide-slider">
          <label for="appetite-value">
            {capitalized(field.label)}: {value === undefined ? 'not given' : describeAnswer(value, field)}
          </label>
          <input
            id="appetite-value"
            type="range"
            min={min}
            max={max}
            step={stepOf(max - min)}
            value={value ?? min}
            onInput={({ currentTarget }) => {
              movedTo.value = Number(currentTarget.value);
            }}
          />
        </div>
      </div>
      <HomeSummary />
    </section>
  );
}

function HomeSummary() {
  const details = Object.entries(homeForm.request.value).filter(([name]) => !unmapped.has(name));
  return (
    <p class="row small">
      <span class="soft">
        {details.length === 0
          ? 'The home is empty: fill in the form to see the map.'
          : `The home: ${details.map(([name]) => describeDetail(name)).join(', ')}.`}
      </span>
      {details.length === 0 && (
        <button type="button" onClick={() => takeInto(homeForm, exampleOf(homeForm.line))}>
          Show an example
        </button>
      )}
      <a href={homeLink.value}>Open the form</a>
      {movedTo.value !== undefined && (
        <button
          type="button"
          onClick={() => {
            movedTo.value = undefined;
          }}
        >
          Value of the home
        </button>
      )}
    </p>
  );
}

/** `dwelling coverage A $285,000`. */
function describeDetail(name: string): string {
  const field = homeForm.line.fields.find((each) => each.name === name);
  return `${labelIn(homeForm, name)} ${describeAnswer(homeForm.values.value[name], field ?? {})}`;
}

const unmapped = new Set(['state', 'county', 'lat', 'lng', 'address', 'policy_type', 'effective_date']);

/** Common values; the form accepts the whole range. */
function rangeOf(name: string, min: number, max: number): { readonly min: number; readonly max: number } {
  const usual: Readonly<Record<string, readonly [number, number]>> = {
    dwelling_a: [50_000, 2_000_000],
    year_built: [1900, new Date().getUTCFullYear()],
    roof_age: [0, 60],
    acreage: [0, 20],
    distance_to_coast_miles: [0, 50],
    distance_to_ocean_miles: [0, 50],
  };
  const [low, high] = usual[name] ?? [min, Math.min(max, min + 100)];
  return { min: low, max: high };
}

function stepOf(width: number): number {
  return width > 100_000 ? 10_000 : width > 1000 ? 100 : width <= 25 ? 0.5 : 1;
}

function Found({ result }: { readonly result: Appetite & { readonly ok: true } }) {
  const byFips = useMemo(() => new Map(result.rows.map((row) => [row.fips, row])), [result]);
  const rows = isMostFirst.value ? result.rows.toSorted((a, b) => b.takes - a.takes || b.could - a.could) : result.rows;
  const fips = state.value === '' ? '' : (result.rows[0]?.fips.slice(0, 2) ?? '');
  const missing = missingFields.value;
  const words = describeCounties(result.rows, missing.length);
  const choose = (chosen: string) => {
    chosenCounty.value = chosen;
  };
  return (
    <>
      <p role="status" class="appetite-words">
        {words}
      </p>
      {missing.length > 0 && (
        <p class="small soft">
          Missing:{' '}
          {missing
            .slice(0, MAX_NAMED)
            .map((name) => labelIn(homeForm, name))
            .join(', ')}
          {missing.length > MAX_NAMED && ` and ${missing.length - MAX_NAMED} more`}.{' '}
          <a href={homeLink.value}>Answer in the form</a>
        </p>
      )}
      <div class="appetite">
        <section class="panel stack-tight" aria-label="Map">
          <CountyMap
            stateFips={fips}
            label={`Map of counties: ${words}`}
            stepOf={(county) => {
              const row = byFips.get(county);
              return row && shadeOf(row);
            }}
            nameOf={(county) => {
              const row = byFips.get(county)!;
              return `${row.name}: ${describeAnswers(row)}`;
            }}
            chosen={chosenCounty.value}
            choose={choose}
          />
          <StepLegend steps={steps} />
          <p class="small soft">Carriers that take or refer the home. Shapes: U.S. Census Bureau, by us-atlas.</p>
        </section>
        <Chosen />
      </div>
      <section class="panel stack-tight" aria-labelledby="county-table-title">
        <div class="row between">
          <h2 id="county-table-title">Counties by carriers</h2>
          <input
            id="appetite-carriers"
            type="search"
            aria-label="Show carriers with this in their name"
            placeholder="Find a carrier"
            value={carrierFilter.value}
            onInput={({ currentTarget }) => {
              carrierFilter.value = currentTarget.value;
            }}
          />
          <CheckRow label="Most first" checked={isMostFirst} />
        </div>
        <p class="row small">
          {Object.entries(statusWords).map(([status, { mark, word }]) => (
            <span key={status}>
              <span class={`ink-${status}`} aria-hidden="true">
                {mark}
              </span>{' '}
              {word}
            </span>
          ))}
        </p>
        <CountyTable
          result={result}
          rows={rows}
          filter={carrierFilter.value}
          chosen={chosenCounty.value}
          choose={choose}
        />
      </section>
    </>
  );
}

const steps = [
  [0, 'no'],
  ['open', 'could, if answered'],
  [1, '1 yes'],
  [2, '2 or 3 yes'],
  [3, '4 to 6 yes'],
  [4, '7 or more yes'],
] as const;

function shadeOf({ takes, could }: AppetiteRow): Step {
  if (takes === 0) return could > 0 ? 'open' : 0;
  return takes >= 7 ? 4 : takes >= 4 ? 3 : takes >= 2 ? 2 : 1;
}

function Chosen() {
  const result = appetite.value;
  const row = result?.ok ? result.rows.find(({ fips }) => fips === chosenCounty.value) : undefined;
  const verdicts = countyVerdicts.value;
  return (
    <section class="panel stack-tight chosen-county" aria-labelledby="chosen-title" aria-live="polite">
      <h2 id="chosen-title">{row ? `${row.name}, ${row.state.toUpperCase()}` : 'A county'}</h2>
      {result?.ok && (
        <select
          id="appetite-county"
          aria-label="County"
          value={row?.fips ?? ''}
          onChange={({ currentTarget }) => {
            chosenCounty.value = currentTarget.value || undefined;
          }}
        >
          <option value="">Choose one</option>
          {result.rows.map(({ fips, name, state: of }) => (
            <option key={fips} value={fips}>
              {name}, {of.toUpperCase()}
            </option>
          ))}
        </select>
      )}
      {row ? (
        <p>
          <strong>{describeAnswers(row)}</strong>
        </p>
      ) : (
        <p class="soft">Choose a county in the map or in the table to see each carrier’s answer there.</p>
      )}
      {row && verdicts?.ok && verdicts.decision.counts.not_offered > 0 && (
        <p class="small soft">{verdicts.decision.counts.not_offered} carriers and types are not offered there.</p>
      )}
      {row && verdicts?.ok && (
        <ul class="findings">
          {[...verdicts.decision.carriers, ...verdicts.decision.declined].map((verdict) => (
            <li key={`${verdict.carrier_key} ${verdict.policy_type}`}>
              <p class="row between">
                <span>
                  {verdict.carrier} <span class="soft">{writeWord(verdict.policy_type)}</span>
                </span>
                <StatusMark status={verdict.status as ShownStatus} />
              </p>
              <p class="small soft">
                {verdict.reasons.map(({ message }) => message).join(' ')}
                {verdict.missing_fields.length > 0 &&
                  ` Missing: ${verdict.missing_fields.map((name) => labelIn(homeForm, name)).join(', ')}.`}
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
