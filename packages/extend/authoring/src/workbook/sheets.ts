import type { CellForm } from './cell-text.ts';

/** A column for one key of an entry. `key` is a path with dots. */
export interface KeyColumn {
  readonly heading: string;
  readonly key: string;
  readonly form: CellForm;
}

const column = (heading: string, form: CellForm = 'value', key = heading): KeyColumn => ({ heading, key, form });

/** The columns of each sheet. Keys without a column are JSON in the column `OTHER`. */
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
    column('tier', 'value', 'tier.of'),
    column('rank', 'value', 'tier.rank'),
    column('tier name', 'value', 'tier.name'),
  ],
  rules: [
    column('id'),
    column('outcome'),
    column('code'),
    column('message'),
    column('priority'),
    column('terms', 'terms'),
  ],
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
    column('tier', 'value', 'expect.tier'),
  ],
} as const satisfies Readonly<Record<string, readonly KeyColumn[]>>;

/** Kind of condition: `when all`, `unless any`, … */
export const HOLDS = 'holds';
/** Shared condition of a rule. */
export const CONDITION = 'condition';
export const PROGRAM = 'program';
export const NAME = 'name';
/** Further tests, as a JSON list. */
export const AND_ALSO = 'and also (JSON)';
/** Further keys, as a JSON object. */
export const OTHER = 'other (JSON)';

export const sheetNames = ['carrier', 'programs', 'conditions', 'rules', 'moratoria', 'allow', 'cases'] as const;
export type SheetName = (typeof sheetNames)[number];

/**
 * True for a sheet without rules: its name starts with `notes`, in any case.
 *
 * @example
 * isNotes('Notes for 2027'); // true
 */
export const isNotes = (name: string): boolean => name.trim().toLowerCase().startsWith('notes');
