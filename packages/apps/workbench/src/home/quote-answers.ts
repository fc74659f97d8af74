import { computed } from '@preact/signals';
import { homeForm } from './home-state.ts';
import { splitEvidence } from './line-form.ts';
import { decision } from './verdicts.ts';

/** Fields of a home by the name that quotes use. */
const quoteNames: Readonly<Record<string, string>> = {
  roof_age: 'roof_year',
  roof_type: 'roof_option',
  structure_type: 'dwelling_type',
  construction: 'construction_type_options',
};

/** Answers of the home by the names of a quote. The policy type is the choice of form types. */
export const homeAnswers = computed<Readonly<Record<string, unknown>>>(() => {
  const { policy_type: _, address, roof_age, ...rest } = homeForm.values.value;
  const answers: Record<string, unknown> = typeof address === 'string' ? partsOf(address) : {};
  for (const [name, value] of Object.entries(rest)) answers[quoteNames[name] ?? name] = value;
  const county = decision.value?.home['county'];
  // The service finds the county of a ZIP code.
  if (address !== undefined && typeof county === 'string') answers['county'] ??= county;
  const year = roofYear(roof_age, rest['effective_date']);
  if (year !== undefined) answers['roof_year'] = year;
  if (answers['roof_option'] === 'built up') answers['roof_option'] = 'tar and gravel';
  const evidence = evidenceOfHome();
  if (Object.keys(evidence).length > 0) answers['evidence'] = evidence;
  return answers;
});

/** The home has the age of its roof, or the year. */
function roofYear(age: unknown, effectiveDate: unknown): number | undefined {
  if (typeof age !== 'number') return undefined;
  if (age >= FIRST_YEAR) return age;
  const year = Number(/^\d{4}/.exec(String(effectiveDate))?.[0] ?? new Date().getUTCFullYear());
  return year - age;
}

const FIRST_YEAR = 1600;

/** `1600 Ocean Dr, Miami Beach, FL 33139`. The form has a field for each part of an address in another spelling. */
function partsOf(address: string): Record<string, string> {
  const { groups = {} } = wholeAddress.exec(address.trim()) ?? {};
  return Object.fromEntries(Object.entries(groups).filter(([, part]) => part !== undefined));
}

const wholeAddress =
  /^(?<house_number>\d\S*)\s+(?<street>[^,]+),\s*(?<city>[^,\d]+?),?\s+(?<state>[a-z]{2})(?:\s+(?<zipcode>\d{5}(?:-\d{4})?))?$/i;

/** Quotes have the evidence of all values in one field. */
function evidenceOfHome(): Readonly<Record<string, object>> {
  const evidence: Record<string, Record<string, string>> = {};
  for (const [name, text] of Object.entries(homeForm.typed.value)) {
    const { field, part } = splitEvidence(name) ?? {};
    if (field === undefined || part === undefined) continue;
    const quoted = quoteNames[field] ?? field;
    evidence[quoted] = { ...evidence[quoted], [part]: text };
  }
  return evidence;
}
