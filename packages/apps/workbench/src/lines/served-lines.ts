import type { RequestField } from '@leeward/engine/vocabulary';
import { signal } from '@preact/signals';
import { visit } from '../service/session.ts';

declare const HOME_FIELDS: readonly RequestField[];
declare const HOME_GIVEN_TOGETHER: FormLine['givenTogether'];

/** A line of business with its form. */
export interface FormLine {
  /** Name in paths. */
  readonly line: string;
  readonly title: string;
  /** The insured object: `home`. */
  readonly noun: string;
  readonly policyTypes: readonly string[];
  readonly fields: readonly RequestField[];
  /** Pairs of fields: both or neither. */
  readonly givenTogether: readonly (readonly [string, string])[];
  /** An example request. */
  readonly example: Readonly<Record<string, unknown>>;
}

/** The fields of homes: first those of every service, then also those that only some carriers need. */
const homeFields = signal<readonly RequestField[]>(HOME_FIELDS);

/** Every service has homes: their form is part of the page. */
export const homeLine: FormLine = {
  line: 'home',
  title: 'Home',
  noun: 'home',
  policyTypes: ['ho3', 'ho5', 'ho8', 'dp1', 'dp3', 'wind only', 'x-wind'],
  get fields() {
    return homeFields.value;
  },
  givenTogether: HOME_GIVEN_TOGETHER,
  example: {
    state: 'fl',
    county: 'miami-dade',
    policy_type: 'ho3',
    lat: 25.7825,
    lng: -80.134,
    dwelling_a: 285_000,
    year_built: 1987,
  },
};

/** Other lines; undefined until they are loaded. */
export const otherLines = signal<readonly FormLine[] | undefined>(undefined);
export const linesFailed = signal(false);
export const chosenLine = signal<FormLine>(homeLine);

interface WireLine extends Omit<FormLine, 'policyTypes' | 'givenTogether'> {
  readonly policy_types: readonly string[];
}

/** Loads the lines once; after a failure, again when the form opens. */
export async function wantLines(): Promise<void> {
  if (otherLines.value !== undefined) return;
  linesFailed.value = false;
  try {
    const response = await fetch(new URL('./lines.json', document.baseURI));
    const { lines } = (await response.json()) as { readonly lines: readonly WireLine[] };
    const served = lines.find(({ line }) => line === homeLine.line);
    if (served) homeFields.value = served.fields.map(({ description: _, ...field }) => field as RequestField);
    otherLines.value = lines
      .filter(({ line }) => line !== homeLine.line)
      .map(({ policy_types: policyTypes, ...line }) => ({ ...line, policyTypes, givenTogether: [] }));
  } catch {
    linesFailed.value = true;
  }
}

/** Undefined if the line is unknown, or not loaded yet. */
export function lineNamed(name: string): FormLine | undefined {
  return name === homeLine.line ? homeLine : otherLines.value?.find(({ line }) => line === name);
}

// The next user starts with homes.
visit.subscribe(() => {
  chosenLine.value = homeLine;
});
