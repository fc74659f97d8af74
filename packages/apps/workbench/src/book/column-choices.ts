import { effect, signal } from '@preact/signals';
import type { ChosenColumns, PeekedBook } from '../evaluate/evaluator-messages.ts';
import { session } from '../service/session.ts';

/** The use of a column: a field, or an extra column in lists and downloads. */
export type ColumnUse = { readonly field: string } | 'extra' | 'unused';

/** Chosen uses by the name of the column, and fields with one value for all policies. Kept for the tab, for the next book. */
export interface RememberedColumns {
  readonly uses: Readonly<Record<string, ColumnUse>>;
  readonly constants: Readonly<Record<string, string>>;
}

const STORED = 'leeward-columns';
const none: RememberedColumns = { uses: {}, constants: {} };

export const remembered = signal<RememberedColumns>(readStored());

function readStored(): RememberedColumns {
  try {
    return { ...none, ...(JSON.parse(sessionStorage.getItem(STORED) ?? '{}') as Partial<RememberedColumns>) };
  } catch {
    return none;
  }
}

export function remember(next: RememberedColumns): void {
  remembered.value = next;
  try {
    sessionStorage.setItem(STORED, JSON.stringify(next));
  } catch {
    // Without storage, they last as long as the page.
  }
}

// The next user must not see these names.
let wasSignedIn = false;
effect(() => {
  const isSignedIn = session.value !== undefined;
  if (wasSignedIn && !isSignedIn) remember(none);
  wasSignedIn = isSignedIn;
});

export interface Columns {
  readonly uses: readonly ColumnUse[];
  readonly constants: Readonly<Record<string, string>>;
}

/** The remembered uses, otherwise the guesses. A field has one column. */
export function startingColumns({ names, guesses }: PeekedBook): Columns {
  const { uses, constants } = remembered.value;
  const usedFields = new Set<string>();
  const chosen = names.map((name, place): ColumnUse => {
    const use = uses[name] ?? (guesses[place] === undefined ? 'extra' : { field: guesses[place] });
    if (typeof use === 'string') return use;
    if (usedFields.has(use.field)) return 'extra';
    usedFields.add(use.field);
    return use;
  });
  const open = Object.entries(constants).filter(([field]) => !usedFields.has(field));
  return { uses: chosen, constants: Object.fromEntries(open) };
}

/** True if nothing is left to choose: each column has the name of a field, begins with x_, or was chosen before. */
export function areSettled({ names, guesses }: PeekedBook, columns: Columns): boolean {
  const isSettled = (name: string, place: number) =>
    guesses[place] === name || name.startsWith('x_') || name === '' || remembered.value.uses[name] !== undefined;
  return names.every(isSettled) && missingFields(columns).length === 0;
}

const required = ['state', 'policy_type'] as const;

/** Required fields without a column or a value. */
export function missingFields({ uses, constants }: Columns): readonly (typeof required)[number][] {
  const fields = new Set(uses.flatMap((use) => (typeof use === 'string' ? [] : [use.field])));
  return required.filter((field) => !fields.has(field) && !constants[field]);
}

/** Gives a column a use; another column of the same field is kept. */
export function withUse(columns: Columns, place: number, use: ColumnUse): Columns {
  const isSame = (other: ColumnUse) =>
    typeof use !== 'string' && typeof other !== 'string' && other.field === use.field;
  const uses = columns.uses.map((other, index) => (index === place ? use : isSame(other) ? 'extra' : other));
  const constants =
    typeof use === 'string'
      ? columns.constants
      : Object.fromEntries(Object.entries(columns.constants).filter(([field]) => field !== use.field));
  return { uses, constants };
}

export function chosenColumns(
  { names, titles }: Pick<PeekedBook, 'names' | 'titles'>,
  { uses, constants }: Columns,
): ChosenColumns {
  const fields = names.flatMap((column, place) => {
    const use = uses[place]!;
    return typeof use === 'string' ? [] : [[use.field, { column }] as const];
  });
  const values = Object.entries(constants).map(([field, constant]) => [field, { constant }] as const);
  const withoutField = names.filter((_, place) => typeof uses[place] === 'string');
  return {
    map: { fields: Object.fromEntries([...fields, ...values]), ignore: withoutField },
    keep: names.flatMap((name, place) =>
      uses[place] === 'extra' && name !== '' ? [{ name, title: titles[place]! }] : [],
    ),
  };
}
