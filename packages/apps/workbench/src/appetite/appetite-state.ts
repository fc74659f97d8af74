import type { RequestField } from '@leeward/engine/vocabulary';
import { computed, effect, signal } from '@preact/signals';
import type { Appetite, AppetiteRow, EvaluatedHome } from '../evaluate/evaluator-messages.ts';
import { sharedEvaluator } from '../evaluate/shared-evaluator.ts';
import { homeForm } from '../home/home-state.ts';

/** Lower-case code; empty: all; undefined: that of the home. */
export const chosenState = signal<string | undefined>(undefined);
export const chosenCounty = signal<string | undefined>(undefined);
/** Field of the slider. If `movedTo` is undefined, the value of the home applies. */
export const movedField = signal('roof_age');
export const movedTo = signal<number | undefined>(undefined);

export const appetite = signal<Appetite | undefined>(undefined);
export const countyVerdicts = signal<EvaluatedHome | undefined>(undefined);
/** Fields without an answer, in the county where most carriers could take the home. */
export const missingFields = signal<readonly string[]>([]);
/** Part of the names of the carriers in the table. */
export const carrierFilter = signal('');
export const failure = signal<string | undefined>(undefined);

type NumberField = RequestField & { readonly kind: 'number' };
export const sliderFields: readonly NumberField[] = homeForm.line.fields.filter(
  (field): field is NumberField => field.kind === 'number',
);

export const state = computed(
  () => chosenState.value ?? (homeForm.request.value['state'] as string | undefined) ?? 'fl',
);

/** The home of the form, with the value of the slider. */
export const evaluatedHome = computed<Readonly<Record<string, unknown>>>(() => {
  const { county: _, lat: _lat, lng: _lng, address: _address, ...home } = homeForm.request.value;
  return movedTo.value === undefined
    ? home
    : { ...home, [movedField.value]: movedTo.value, ...together(movedField.value) };
});

/** A roof's age needs its type: that of the home, or a common one. */
function together(field: string): Readonly<Record<string, unknown>> {
  const { roof_type = 'architectural shingle' } = homeForm.values.value;
  return field === 'roof_age' ? { roof_type } : {};
}

/** Evaluates after each change. The returned function stops it. */
export function followAppetite(): () => void {
  let number = 0;
  const ends = [
    effect(() => {
      const evaluator = sharedEvaluator();
      const question = { home: evaluatedHome.value, state: state.value };
      const mine = ++number;
      if (evaluator === undefined) return;
      evaluator.ask('appetite', question).then(
        (result) => {
          if (mine !== number) return;
          failure.value = undefined;
          appetite.value = result;
        },
        (error: Error) => {
          if (mine === number) failure.value = error.message;
        },
      );
    }),
    effect(() => {
      const evaluator = sharedEvaluator();
      const result = appetite.value;
      const row = result?.ok ? result.rows.find(({ fips }) => fips === chosenCounty.value) : undefined;
      const home = evaluatedHome.value;
      if (evaluator === undefined || row === undefined) {
        countyVerdicts.value = undefined;
        return;
      }
      evaluator.ask('home', { ...home, state: row.state, county: row.name }).then(
        (verdicts) => {
          if (chosenCounty.value === row.fips) countyVerdicts.value = verdicts;
        },
        () => {},
      );
    }),
  ];
  ends.push(
    effect(() => {
      const evaluator = sharedEvaluator();
      const rows = appetite.value?.ok ? appetite.value.rows : [];
      const open = rows.reduce<AppetiteRow | undefined>(
        (best, row) => (row.could > (best?.could ?? 0) ? row : best),
        undefined,
      );
      const result = appetite.peek();
      if (evaluator === undefined || open === undefined) {
        missingFields.value = [];
        return;
      }
      evaluator.ask('home', { ...evaluatedHome.peek(), state: open.state, county: open.name }).then(
        (verdicts) => {
          if (appetite.peek() !== result || !verdicts.ok) return;
          missingFields.value = [...new Set(verdicts.decision.carriers.flatMap((verdict) => verdict.missing_fields))];
        },
        () => {},
      );
    }),
  );
  return () => {
    number += 1;
    for (const end of ends) end();
  };
}
