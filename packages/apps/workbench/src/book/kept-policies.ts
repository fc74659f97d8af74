import { cellOf, type EvaluatedBatch, type RawBatch } from '@leeward/books/evaluate';
import { STATUS_CODES, type Vocabulary } from '@leeward/engine';
import { countyByFips, states } from '@leeward/places/counties';
import { escapeFormula, writeCells } from '@leeward/rows';
import { isObject, own } from '@leeward/terms';
import { policyStatuses } from '../design/policy-statuses.ts';
import { countAnswers } from '../evaluate/count-answers.ts';
import type { KeptColumn, ListedPolicies, ListedPolicy, PolicySelection } from '../evaluate/evaluator-messages.ts';

const MAX_LISTED = 100;

/** Texts of the kept columns of a row. */
export function keptCells(batch: RawBatch, row: number, keep: readonly { readonly name: string }[]): readonly string[] {
  const whole = batch.whole?.get(row);
  return keep.map(({ name }) => {
    const value = isObject(whole) ? own(whole, name) : cellOf(batch.columns[batch.names.indexOf(name)], row);
    if (value === undefined || value === null) return '';
    return (typeof value === 'object' ? JSON.stringify(value) : String(value)).trim();
  });
}

/** Rows of one batch, as they are listed and downloaded. */
interface Part {
  readonly firstRow: number;
  readonly rows: number;
  /** Statuses of all carriers, row by row. */
  readonly codes: Uint8Array<ArrayBuffer>;
  readonly rejected: ReadonlySet<number>;
  readonly states: Uint8Array;
  readonly policyTypes: Uint8Array;
  readonly counties: Int32Array;
  readonly lines: Int32Array | undefined;
  /** By kept column. */
  readonly extras: readonly (readonly string[])[];
}

type Marks = readonly Uint8Array[] | undefined;

/** The policies of an evaluated book. */
export interface KeptPolicies {
  add(batch: RawBatch, evaluated: EvaluatedBatch): void;
  /** @param marks for a reason, by batch and row 1 if a carrier declines the policy for it */
  list(selection: PolicySelection, marks?: Marks): ListedPolicies;
  /** CSV with the kept columns and the statuses of all carriers. */
  file(selection: PolicySelection, marks?: Marks): Blob;
  /** A line per row of the book; without statuses for a rejected row. */
  statuses(): Blob;
}

export function createKeptPolicies(
  { policyTypes: types }: Vocabulary,
  carriers: readonly string[],
  keep: readonly KeptColumn[],
): KeptPolicies {
  const width = carriers.length;
  const parts: Part[] = [];
  const rowsOf = function* (selection: PolicySelection, marks: Marks): Generator<readonly [part: Part, row: number]> {
    const marksOf = marks && new Map(parts.map((part, place) => [part, marks[place]]));
    const matches =
      selection.kind === 'reason'
        ? (part: Part, row: number) => marksOf?.get(part)?.[row] === 1
        : matcherOf(selection, { carriers, types, width });
    for (const part of parts)
      for (let row = 0; row < part.rows; row++) if (!part.rejected.has(row) && matches(part, row)) yield [part, row];
  };
  const statusesOf = ({ codes }: Part, row: number) =>
    Array.from(codes.subarray(row * width, (row + 1) * width), (code) => STATUS_CODES[code]!);
  const cellsOf = ({ extras }: Part, row: number) => extras.map((column) => column[row]!);
  const titles = keep.map(({ title }) => title);
  const heading = [...titles, ...carriers].map(escapeFormula);
  return {
    add(batch, { firstRow, rows, codes, rejected, states: ofStates, policyTypes, counties }) {
      const indexes = Array.from({ length: rows }, (_, row) => row);
      const cells = indexes.map((row) => keptCells(batch, row, keep));
      parts.push({
        firstRow,
        rows,
        codes: codes.slice(0, rows * width) as Uint8Array<ArrayBuffer>,
        rejected: new Set(rejected.keys()),
        states: Uint8Array.from({ length: rows }, (_, row) => ofStates[row]!),
        policyTypes: Uint8Array.from({ length: rows }, (_, row) => policyTypes[row]!),
        counties: Int32Array.from({ length: rows }, (_, row) => counties[row]!),
        lines: batch.lineOf && Int32Array.from(indexes, (row) => batch.lineOf!(row).line),
        extras: keep.map((_, place) => cells.map((each) => each[place]!)),
      });
    },
    list(selection, marks) {
      const policies: ListedPolicy[] = [];
      let count = 0;
      for (const [part, row] of rowsOf(selection, marks)) {
        count += 1;
        if (policies.length >= MAX_LISTED) continue;
        const { takes, could } = countAnswers(part.codes, row * width, (row + 1) * width);
        policies.push({
          row: part.firstRow + row + 1,
          line: part.lines?.[row],
          policyType: types[part.policyTypes[row]!]!,
          place: placeOf(part, row),
          extras: cellsOf(part, row),
          takes,
          could,
        });
      }
      return { count, extraTitles: titles, policies };
    },
    file(selection, marks) {
      const texts = [`${writeCells(['row', 'policy_type', 'place', ...heading])}\n`];
      for (const [part, row] of rowsOf(selection, marks)) {
        const start = [String(part.firstRow + row + 1), types[part.policyTypes[row]!]!, placeOf(part, row)];
        texts.push(`${writeCells([...start, ...cellsOf(part, row).map(escapeFormula), ...statusesOf(part, row)])}\n`);
      }
      return new Blob(texts, { type: 'text/csv' });
    },
    statuses() {
      const texts = [`${writeCells(['row', ...heading])}\n`];
      const none = carriers.map(() => '');
      for (const part of parts) {
        let text = '';
        for (let row = 0; row < part.rows; row++) {
          const extras = cellsOf(part, row).map(escapeFormula);
          const statuses = part.rejected.has(row) ? none : statusesOf(part, row);
          text += `${writeCells([String(part.firstRow + row + 1), ...extras, ...statuses])}\n`;
        }
        texts.push(text);
      }
      return new Blob(texts, { type: 'text/csv' });
    },
  };
}

function placeOf({ states: ofStates, counties }: Part, row: number): string {
  const fips = counties[row]!;
  const county = fips > 0 ? countyByFips(String(fips).padStart(5, '0')) : undefined;
  const code = states[ofStates[row]!]?.code.toUpperCase() ?? '';
  return county ? `${county.label}, ${code}` : code;
}

interface Words {
  readonly carriers: readonly string[];
  readonly types: readonly string[];
  readonly width: number;
}

function matcherOf(
  selection: Exclude<PolicySelection, { readonly kind: 'reason' }>,
  { carriers, types, width }: Words,
): (part: Part, row: number) => boolean {
  const answersOf = ({ codes }: Part, row: number) => countAnswers(codes, row * width, (row + 1) * width);
  switch (selection.kind) {
    case 'placement': {
      const fips = selection.county === undefined ? undefined : Number(selection.county);
      return (part, row) => {
        if (fips !== undefined && part.counties[row] !== fips) return false;
        const { takes, could } = answersOf(part, row);
        return selection.placement === (takes > 0 ? 'carrier' : could > 0 ? 'possible' : 'none');
      };
    }
    case 'takers':
      return (part, row) => {
        const { takes } = answersOf(part, row);
        return takes >= selection.from && takes <= selection.to;
      };
    case 'county': {
      const fips = Number(selection.fips);
      return ({ counties }, row) => counties[row] === fips;
    }
    case 'status': {
      const code = STATUS_CODES.indexOf(policyStatuses[selection.status]!);
      const carrier = selection.carrier === undefined ? undefined : carriers.indexOf(selection.carrier);
      const state = selection.state && states.findIndex((each) => each.code === selection.state);
      const type = selection.policyType && types.indexOf(selection.policyType);
      return (part, row) =>
        (state === undefined || part.states[row] === state) &&
        (type === undefined || part.policyTypes[row] === type) &&
        (carrier === undefined
          ? part.codes.subarray(row * width, (row + 1) * width).includes(code)
          : part.codes[row * width + carrier] === code);
    }
  }
}
