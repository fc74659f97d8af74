import type { CellForm } from './cell-text.ts';

/** A column that holds one key of an entry; `key` is dotted where the key lies deeper. */
export interface KeyColumn {
  readonly heading: string;
  readonly key: string;
  readonly form: CellForm;
}

const column = (heading: string, form: CellForm = 'value', key = heading): KeyColumn => ({ heading, key, form });

/** What of a rule set stands in which column. What none holds stands as JSON in the column `other`. */
export const sheetColumns = {
  carrier: [
    column('$schema'),
    column('format'),
    column('carrier key', 'value', 'carrier.key'),
    column('carrier name', 'value', 'carrier.name'),
    column('line'),
    column('version'),
    column('effective from', 'value', 'effective.from'),
    column('effective until', 'until', 'effective.until'),
  ],
  programs: [
    column('id'),
    column('policy types', 'list', 'policy_types'),
    column('states', 'list'),
    column('counties', 'counties'),
  ],
  rules: [column('id'), column('outcome'), column('code'), column('message'), column('priority')],
  moratoria: [
    column('id'),
    column('from'),
    column('until', 'until'),
    column('states', 'list'),
    column('counties', 'counties'),
    column('policy types', 'list', 'policy_types'),
    column('message'),
  ],
  allow: [column('code'), column('rule', 'value', 'rule_id'), column('why')],
  cases: [
    column('note'),
    column('as of', 'value', 'as_of'),
    column('effective date', 'value', 'effective_date'),
    column('policy type', 'value', 'policy_type'),
    column('status', 'value', 'expect.status'),
    column('codes', 'list', 'expect.codes'),
    column('missing fields', 'list', 'expect.missing_fields'),
  ],
} as const satisfies Readonly<Record<string, readonly KeyColumn[]>>;

/** Which of a rule's or a condition's tests must hold, and which condition a rule names. */
export const HOLDS = 'holds';
export const CONDITION = 'condition';
export const PROGRAM = 'program';
export const NAME = 'name';
/** More tests as a JSON list, after those in columns. */
export const AND_ALSO = 'and also (JSON)';
/** A JSON object of what no column holds. */
export const OTHER = 'other (JSON)';

/** The sheets that are read. One whose name begins with `notes` is for people. */
export const sheetNames = ['carrier', 'programs', 'conditions', 'rules', 'moratoria', 'allow', 'cases'] as const;
export type SheetName = (typeof sheetNames)[number];

/** Whether a sheet is for people alone: `Notes`, in any case. */
export const isNotes = (name: string): boolean => name.trim().toLowerCase().startsWith('notes');
