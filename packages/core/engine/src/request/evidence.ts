/**
 * Evidence: the date on which a value was determined, and its origin. Every field, set and list of a vocabulary can have
 * it. Two facts follow: `roof_year.evidence_age_years` and `roof_year.source`.
 */
import { acrossFields, didYouMean, fold, isObject, quoteValue, timePatterns, withoutEval } from '@leeward/terms';
import * as z from 'zod';
import { factIndex } from '../vocabulary/fact-index.ts';
import { daysOf, FIRST_DATE } from '../vocabulary/list-field.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { distanceNames } from './distance-names.ts';

/** Date and origin of a value. */
export interface Evidence {
  /** `YYYY-MM-DD`; `YYYY-MM` or `YYYY` if only the month or the year is known. @default unknown */
  readonly asOf?: string | undefined;
  /** A word of {@link evidenceSources}, or one that begins with `x_`. @default unknown */
  readonly source?: string | undefined;
}

/** Registered origins of a value. Others begin with `x_`. */
export const evidenceSources = [
  'applicant',
  'agent',
  'inspection',
  'electrician',
  'contractor',
  'engineer',
  'permit',
  'invoice',
  'photo',
  'aerial_image',
  'public_record',
  'loss_report',
  'prior_carrier',
  'surveyor',
  'data_vendor',
] as const;

/** Number of the source in computed facts. All sources that are not registered have the same number. */
export function codeOfSource(source: string): number {
  const code = (evidenceSources as readonly string[]).indexOf(source);
  return code < 0 ? OTHER_SOURCE : code;
}

/** The number of a source that is not registered. */
export const OTHER_SOURCE: number = evidenceSources.length;

/** The two facts of evidence, and the part of a request that gives each. */
export const evidenceParts = { evidence_age_years: 'as_of', source: 'source' } as const;
export type EvidenceFactName = keyof typeof evidenceParts;
export type EvidencePart = (typeof evidenceParts)[EvidenceFactName];

/** A field, set or list that can have evidence. */
export interface EvidenceSubject {
  /** Name in `Property.evidence`, and of the facts: of the field, set or list. */
  readonly name: string;
  /** Name in requests. */
  readonly requestName: string;
  readonly label: string;
}

const subjectsOfVocabulary = new WeakMap<Vocabulary, ReadonlyMap<string, EvidenceSubject>>();

/** Everything that can have evidence, by each of its names: `roof_year` and `roof_age` are the same. */
export function evidenceSubjects(vocabulary: Vocabulary): ReadonlyMap<string, EvidenceSubject> {
  let subjects = subjectsOfVocabulary.get(vocabulary);
  if (!subjects) {
    subjects = findSubjects(vocabulary);
    subjectsOfVocabulary.set(vocabulary, subjects);
  }
  return subjects;
}

function findSubjects(vocabulary: Vocabulary): ReadonlyMap<string, EvidenceSubject> {
  const subjects = new Map<string, EvidenceSubject>();
  const { names, find, sets, lists } = factIndex(vocabulary);
  for (const field of vocabulary.fields) {
    if (field.member) continue;
    const { name, label, schema, givenAs, requestName } = field;
    const subject = { name, label, requestName: schema ? requestName : (givenAs ?? requestName) };
    subjects.set(name, subject).set(subject.requestName, subject);
  }
  for (const name of names) {
    const reference = find(name);
    if (reference?.kind === 'derived') subjects.set(name, subjects.get(reference.field.name)!);
  }
  for (const [alias, field] of distanceNames) {
    const subject = subjects.get(field);
    if (subject) subjects.set(alias, subject);
  }
  for (const { name, label } of [...sets.values(), ...lists.values()]) {
    subjects.set(name, { name, label, requestName: name });
  }
  return subjects;
}

/** The subject and the part of a fact or of a missing name: `roof_age.source`, `roof_age.as_of`. */
export function findEvidence(
  name: string,
  vocabulary: Vocabulary,
): { readonly subject: EvidenceSubject; readonly part: EvidencePart } | undefined {
  const dot = name.lastIndexOf('.');
  if (dot < 0) return undefined;
  const subject = evidenceSubjects(vocabulary).get(name.slice(0, dot));
  const suffix = name.slice(dot + 1);
  const part = Object.hasOwn(evidenceParts, suffix) ? evidenceParts[suffix as EvidenceFactName] : suffix;
  return subject && (part === 'as_of' || part === 'source') ? { subject, part } : undefined;
}

/** Name of evidence that is missing: `roof_age.as_of`. */
export function evidenceNameOf({ requestName }: EvidenceSubject, part: EvidencePart): string {
  return `${requestName}.${part}`;
}

/** The schema of a value with evidence in requests, for documents; requests may give any value in this form. */
export const valueWithEvidenceSchema = withoutEval(() =>
  z
    .strictObject({
      value: z.unknown().meta({ description: 'The value, in the form in which the field takes it.' }),
      as_of: z.string().regex(new RegExp(timePatterns.partialDate)).nullish().meta({
        description: 'Date on which the value was determined: YYYY-MM-DD, YYYY-MM or YYYY; not in the future.',
      }),
      source: z
        .union([z.enum(evidenceSources), z.string().regex(/^x_[a-z0-9_]{1,60}$/)])
        .nullish()
        .meta({ description: 'Origin of the value; others than the listed begin with x_.' }),
    })
    .meta({
      id: 'ValueWithEvidence',
      description: 'A value with its date and origin.',
      ...acrossFields({
        needs: [
          ['as_of', 'value'],
          ['source', 'value'],
        ],
      }),
    }),
);

/** True for a value in the form `{ "value", "as_of", "source" }`. */
export function hasEvidenceForm(input: unknown): input is Record<string, unknown> {
  return isObject(input) && ['value', 'as_of', 'source'].some((key) => Object.hasOwn(input, key));
}

/** A fault of evidence, with the key that has it. */
export interface EvidenceFault {
  readonly key: EvidencePart;
  readonly code: string;
  readonly message: string;
}

/**
 * Checks the date and the source of a value. Returns the normalized evidence; undefined if both are missing or invalid.
 *
 * @param name for messages
 * @param asOfMs time of the request: dates after it are faults
 */
export function readEvidence(
  name: string,
  { as_of: asOf, source }: { readonly as_of?: unknown; readonly source?: unknown },
  asOfMs: number,
  faults: EvidenceFault[],
): Evidence | undefined {
  const date = isMissing(asOf) ? undefined : readDate(name, asOf, asOfMs, faults);
  const word = isMissing(source) ? undefined : readSource(name, source, faults);
  if (date === undefined && word === undefined) return undefined;
  return { ...(date === undefined ? {} : { asOf: date }), ...(word === undefined ? {} : { source: word }) };
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** Dates of other time zones are at most one day ahead of UTC. */
const DAY_MS = 86_400_000;

function readDate(name: string, value: unknown, asOfMs: number, faults: EvidenceFault[]): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  const days = daysOf(text);
  if (!days || text < FIRST_DATE.slice(0, text.length)) {
    const message = `The as_of of ${name} is ${quoteValue(value)}; give the date on which the value was determined, from ${FIRST_DATE}, as YYYY-MM-DD, or YYYY-MM or YYYY if the rest is unknown.`;
    faults.push({ key: 'as_of', code: typeof value === 'string' ? 'invalid_date' : 'invalid_type', message });
    return undefined;
  }
  const latest = new Date((Number.isFinite(asOfMs) ? asOfMs : 0) + DAY_MS).toISOString().slice(0, 10);
  if (text > latest.slice(0, text.length)) {
    const message = `The as_of of ${name} is ${quoteValue(text)}, which is in the future; give the date on which the value was determined, or leave it out.`;
    faults.push({ key: 'as_of', code: 'date_in_future', message });
    return undefined;
  }
  return text;
}

const bySpelling: ReadonlyMap<string, string> = new Map(evidenceSources.map((word) => [fold(word), word]));

/** True for a source that is not registered. */
export function isCustomSource(word: string): boolean {
  return /^x_[a-z0-9_]{1,60}$/.test(word);
}

function readSource(name: string, value: unknown, faults: EvidenceFault[]): string | undefined {
  if (typeof value === 'string' && value.length <= 100) {
    const text = value.trim();
    const word = isCustomSource(text) ? text : bySpelling.get(fold(text));
    if (word !== undefined) return word;
  }
  const message = `The source of ${name} is ${quoteValue(value)}; give one of: ${evidenceSources.join(', ')}, or a word that begins with x_.${sourceHint(value)}`;
  faults.push({ key: 'source', code: typeof value === 'string' ? 'unknown_value' : 'invalid_type', message });
  return undefined;
}

/** Suggests a source that is spelled similarly. */
export function sourceHint(value: unknown): string {
  return typeof value === 'string' ? didYouMean(value, evidenceSources) : '';
}

/** Evidence in the form of a request. */
export function writeEvidence(value: unknown, { asOf, source }: Evidence): Record<string, unknown> {
  return { value, ...(asOf === undefined ? {} : { as_of: asOf }), ...(source === undefined ? {} : { source }) };
}
