import type { RequestField } from '@leeward/engine';
import { signal } from '@preact/signals';
import { visit } from '../service/session.ts';

declare const HOME_FIELDS: readonly RequestField[];
declare const HOME_GIVEN_TOGETHER: FormLine['givenTogether'];

/** A line of business, as a form asks in it. */
export interface FormLine {
  /** Its name in paths. */
  readonly line: string;
  readonly title: string;
  /** What is insured, in sentences: `home`. */
  readonly noun: string;
  readonly policyTypes: readonly string[];
  readonly fields: readonly RequestField[];
  /** Pairs of fields of which a request has both or neither. */
  readonly givenTogether: readonly (readonly [string, string])[];
  /** One to begin with, as a request has it. */
  readonly example: Readonly<Record<string, unknown>>;
}

/** Homes, which every service has: the page brings their words along, so that their form need not wait. */
export const homeLine: FormLine = {
  line: 'home',
  title: 'Home',
  noun: 'home',
  policyTypes: ['ho3', 'ho5', 'ho8', 'dp1', 'dp3', 'wind only', 'x-wind'],
  fields: HOME_FIELDS,
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

/** Lines beside homes that the service has; undefined until it said so. */
export const otherLines = signal<readonly FormLine[] | undefined>(undefined);
/** Asked, and not told. */
export const linesFailed = signal(false);
/** The one that is looked at. */
export const chosenLine = signal<FormLine>(homeLine);

interface WireLine extends Omit<FormLine, 'policyTypes' | 'givenTogether'> {
  readonly policy_types: readonly string[];
}

/** Asks which there are, once; homes are asked for without, and it is asked again when the form is opened again. */
export async function wantLines(): Promise<void> {
  if (otherLines.value !== undefined) return;
  linesFailed.value = false;
  try {
    const response = await fetch(new URL('./lines.json', document.baseURI));
    const { lines } = (await response.json()) as { readonly lines: readonly WireLine[] };
    otherLines.value = lines
      .filter(({ line }) => line !== homeLine.line)
      .map(({ policy_types: policyTypes, ...line }) => ({ ...line, policyTypes, givenTogether: [] }));
  } catch {
    linesFailed.value = true;
  }
}

/** By the name that an address has; undefined where there is none of it, or nobody knows yet. */
export function lineNamed(name: string): FormLine | undefined {
  return name === homeLine.line ? homeLine : otherLines.value?.find(({ line }) => line === name);
}

// Whoever signs in next begins with homes.
visit.subscribe(() => {
  chosenLine.value = homeLine;
});
