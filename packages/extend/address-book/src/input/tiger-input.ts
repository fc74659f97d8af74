import { readHouseNumber } from '@leeward/places/address';
import { findState, states } from '@leeward/places/counties';
import { AddressBookError } from '../address-book-error.ts';
import type { RangeRecord } from '../record.ts';
import { countedNumber } from '../street/number-order.ts';
import { readStreetName } from '../street/street-name.ts';
import type { AddressInput, InputRow, RowFinding } from './address-input.ts';
import type { InputOptions } from './input-options.ts';
import { stateByPosition, zipOf } from './place-by-position.ts';
import { finding, pointFinding, quoted } from './read-house.ts';
import { openShapefile, type ShapefileParts, type ShapefileRecord } from './shapefile.ts';

/** Columns that identify TIGER/Line's address ranges (ADDRFEAT). */
const rangeColumns = ['TLID', 'FULLNAME', 'LFROMHN', 'LTOHN', 'RFROMHN', 'RTOHN', 'ZIPL', 'ZIPR'] as const;

export async function openTigerInput(
  parts: ShapefileParts,
  name: string,
  options: InputOptions,
): Promise<AddressInput> {
  const { columns, count, records } = await openShapefile(parts, name);
  const missing = rangeColumns.filter((column) => !columns.includes(column));
  if (missing.length > 0) {
    throw new AddressBookError(
      `${name} has no column ${missing.join(', ')}: an ADDRFEAT file of TIGER/Line was expected. Its columns are: ${columns.slice(0, 20).join(', ')}.`,
    );
  }
  const fileState = stateOfFileName(name);
  const bytes = parts.shp.length + (parts.dbf?.length ?? 0);
  let read = 0;
  return {
    format: 'tiger',
    endsWithinLine: () => false,
    bytesRead: () => (count === 0 ? bytes : Math.round((bytes * read) / count)),
    recognized: () => [],
    close() {},
    rows: (async function* (): AsyncGenerator<InputRow> {
      for await (const record of records) {
        options.signal?.throwIfAborted();
        read = record.row;
        yield { file: name, row: record.row, houses: [], ...readRanges(record, { ...options, fileState }) };
      }
    })(),
  };
}

interface ReadRanges {
  readonly ranges: readonly RangeRecord[];
  readonly rejected: readonly RowFinding[];
  readonly doubtful: readonly RowFinding[];
}

interface Side {
  readonly side: RangeRecord['side'];
  readonly from: number;
  readonly to: number;
  readonly prefix: string;
  readonly parity: RangeRecord['parity'];
  readonly zip: string;
}

/**
 * Reads the ranges of both sides of an edge (TIGER/Line Technical Documentation, ADDRFEAT). Numbers run from FROMHN at the beginning of
 * the line to TOHN at its end, also downward.
 */
function readRanges(
  record: ShapefileRecord,
  options: InputOptions & { readonly fileState: string | undefined },
): ReadRanges {
  const { attributes, line: positions } = record;
  const rejected: RowFinding[] = [];
  const doubtful: RowFinding[] = [];
  const text = (column: string) => textOf(attributes[column]);
  const street = text('FULLNAME');
  const name = readStreetName(street);
  const only = (one: RowFinding): ReadRanges => ({ ranges: [], rejected: [one], doubtful: [] });
  if (name === undefined)
    return only(finding('no_street', `the name of a street was expected in FULLNAME, not ${quoted(street)}`));
  const line = (positions ?? []).map(([longitude = Number.NaN, latitude = Number.NaN]) => ({ latitude, longitude }));
  if (line.length < 2) return only(finding('no_line', 'one line of two points or more was expected'));
  for (const point of line) {
    const fault = pointFinding(point, `${point.longitude}, ${point.latitude}`);
    if (fault !== undefined) return only(fault);
  }
  const edge = Number(text('TLID'));
  if (!Number.isSafeInteger(edge) || edge <= 0) {
    return only(finding('no_range', `the number of an edge was expected in TLID, not ${quoted(text('TLID'))}`));
  }
  const sides: Side[] = [];
  for (const [letter, side] of [
    ['L', 'left'],
    ['R', 'right'],
  ] as const) {
    const read = readSide(text, letter, side);
    if (read === undefined) continue;
    if ('code' in read) rejected.push(read);
    else sides.push(read);
  }
  if (sides.length === 0 && rejected.length === 0) {
    return only(finding('no_range', 'house numbers were expected in LFROMHN and LTOHN, or RFROMHN and RTOHN'));
  }
  const isDirectionDoubtful = runAgainst(sides);
  if (isDirectionDoubtful) {
    const numbers = sides.map(({ from, to }) => `${from}–${to}`).join(' and ');
    doubtful.push(finding('runs_backwards', `both sides were expected to count the same way, not ${numbers}`));
  }
  const middle = line[line.length >> 1]!;
  const state = options.state ?? options.fileState ?? stateByPosition(options.zips, middle);
  if (state === undefined) return only(finding('no_state', 'the state is missing: give it with state'));
  const { core } = name;
  const ranges = sides.map(
    ({ zip, ...range }): RangeRecord => ({
      core,
      street,
      city: '',
      state,
      ...zipOf(options.zips, zip, state, middle),
      edge,
      ...range,
      isDirectionDoubtful,
      line,
    }),
  );
  return { ranges, rejected, doubtful };
}

function readSide(
  text: (column: string) => string,
  letter: 'L' | 'R',
  side: RangeRecord['side'],
): Side | RowFinding | undefined {
  const [fromText, toText] = [text(`${letter}FROMHN`), text(`${letter}TOHN`)];
  if (fromText === '' && toText === '') return undefined;
  const numbers = `${quoted(fromText)} to ${quoted(toText)}`;
  const [fromNumber, toNumber] = [readHouseNumber(fromText), readHouseNumber(toText)];
  if (fromNumber === undefined || toNumber === undefined) {
    return finding('unreadable_range', `house numbers were expected on the ${side} side, not ${numbers}`);
  }
  const [from, to] = [countedNumber(fromNumber), countedNumber(toNumber)];
  if (from.prefix !== to.prefix) {
    return finding('unreadable_range', `one block was expected on the ${side} side, not ${numbers}`);
  }
  const stated = { E: 'even', O: 'odd', B: 'both' }[text(`PARITY${letter}`).toUpperCase()] as
    | RangeRecord['parity']
    | undefined;
  const parityOf = (value: number) => (value % 2 === 0 ? 'even' : 'odd');
  const isOne = parityOf(from.value) === parityOf(to.value);
  if (stated !== 'both' && (!isOne || (stated !== undefined && stated !== parityOf(from.value)))) {
    return finding(
      'parity_differs',
      `${stated ?? 'only even or only odd'} numbers were expected on the ${side} side, not ${numbers}`,
    );
  }
  return {
    side,
    prefix: from.prefix,
    from: from.value,
    to: to.value,
    parity: stated ?? parityOf(from.value),
    zip: text(`ZIP${letter}`),
  };
}

/** Returns true if the two sides count in opposite directions. */
function runAgainst([left, right]: readonly Side[]): boolean {
  if (left === undefined || right === undefined || left.prefix !== right.prefix) return false;
  return Math.sign(left.to - left.from) * Math.sign(right.to - right.from) < 0;
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** State in the name of a TIGER/Line file: `tl_2021_30059_addrfeat.shp` is of county 30059. */
function stateOfFileName(name: string): string | undefined {
  const [, fips] = /tl_\d{4}_(\d{2})\d{3}_addrfeat/i.exec(name) ?? [];
  return fips === undefined ? undefined : findState(states.find((state) => state.fips === fips)?.code ?? '')?.code;
}
