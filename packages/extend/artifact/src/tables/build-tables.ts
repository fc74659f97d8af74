import type { Catalog } from '@leeward/engine';
import { isCalendarDate, quoteValue } from '@leeward/terms';
import type { BuiltInterval, BuiltTables, BuiltType, NotCompiled, TablesOptions } from './built-tables.ts';
import { ImageWriter } from './image-writer.ts';
import type { Lane } from './lane.ts';
import { LANES, laneCountFor } from './lanes.ts';
import { TableInputs } from './table-inputs.ts';
import { buildType } from './type-lanes.ts';
import { writeGroup } from './write-group.ts';
import { writeHeader } from './write-header.ts';

const TYPE_BYTES = 32;
const INTERVAL_BYTES = 16;
const MS_A_DAY = 86_400_000;
/** Reasons are numbered with 16 bits. */
const MAX_REASONS = 65_536;

/**
 * Builds the tables of a catalog for a range of effective dates.
 *
 * Facts of the host are inputs without values: carriers that need them are answered `needs_information` and listed in `notCompiled`.
 *
 * @throws {RangeError} if `from` is not a date, or after `to`.
 * @throws {Error} if the catalog evaluates all rules with json-rules-engine.
 *
 * @example
 * const { image, notCompiled } = buildTables(catalog, { from: '2026-01-01', to: '2026-12-31' });
 */
export function buildTables(catalog: Catalog, { from, to, reasons = true }: TablesOptions): BuiltTables {
  const { vocabulary } = catalog;
  const inputs = new TableInputs(vocabulary);
  const writer = new ImageWriter();
  const notCompiled = new Map<string, NotCompiled>();
  const report = (entry: NotCompiled) => void notCompiled.set(JSON.stringify(entry), entry);
  const intervals = intervalsOf(catalog, from, to).map((interval): BuiltInterval => {
    const effectiveYear = Number(interval.from.slice(0, 4));
    const types = vocabulary.policyTypes.map((policyType) =>
      buildType(catalog, { effectiveDate: interval.from, policyType, inputs, withReasons: reasons, report }),
    );
    return { ...interval, effectiveYear, types };
  });
  const records = new Int32Array((INTERVAL_BYTES / 4) * intervals.length);
  intervals.forEach(({ from: first, until, effectiveYear, types }, index) => {
    const offset = writer.add(typeRecords(types, writer));
    records.set([dayOf(first), dayOf(until), effectiveYear, offset], 4 * index);
  });
  const image = writeHeader({
    vocabulary,
    inputs,
    effectiveYear: intervals[0]!.effectiveYear,
    carrierCount: catalog.carriers.length,
    intervals: records,
    writer,
  });
  return { image, vocabulary, inputs: inputs.all, intervals, notCompiled: [...notCompiled.values()] };
}

function dayOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / MS_A_DAY;
}

/** Splits dates where versions of rule sets begin or end, and at the end of each year: ages are relative to the year. */
function intervalsOf({ carriers }: Catalog, from: string, to: string): readonly { from: string; until: string }[] {
  for (const [name, date] of Object.entries({ from, to }))
    if (!isCalendarDate(date)) throw new RangeError(`${name} is ${quoteValue(date)}; give YYYY-MM-DD.`);
  const days = [dayOf(from), dayOf(to)] as const;
  if (days[0] > days[1]) throw new RangeError(`from is ${from}, which is after ${to}; give an earlier date.`);
  const borders = new Set([days[0], days[1] + 1]);
  for (const { ruleSet } of carriers.flatMap(({ versions }) => versions))
    for (const date of [ruleSet.effectiveFrom, ruleSet.effectiveUntil])
      if (date !== undefined) borders.add(dayOf(date));
  const [first, last] = [Number(from.slice(0, 4)), Number(to.slice(0, 4))];
  for (let year = first + 1; year <= last; year++) borders.add(Date.UTC(year, 0, 1) / MS_A_DAY);
  const inside = [...borders].filter((day) => day >= days[0] && day <= days[1] + 1).sort((a, b) => a - b);
  const dateOf = (day: number) => new Date(day * MS_A_DAY).toISOString().slice(0, 10);
  return inside.slice(1).map((until, index) => ({ from: dateOf(inside[index]!), until: dateOf(until) }));
}

function typeRecords(types: readonly BuiltType[], writer: ImageWriter): Uint32Array {
  const records = new Uint32Array((TYPE_BYTES / 4) * types.length);
  types.forEach(({ lanes, reasonLanes, reasons }, index) => {
    if (reasons.length > MAX_REASONS)
      throw new RangeError(`A policy type has ${reasons.length} rules; compile at most ${MAX_REASONS} together.`);
    const write = (some: readonly Lane[]) => {
      const groups = groupLanes(some).map((group) => writeGroup(group, writer));
      return [groups.length, writer.add(Uint32Array.from(groups))];
    };
    records.set([...write(lanes), ...write(byInputs(reasonLanes)), reasons.length], 8 * index);
  });
  return records;
}

/** Sorts lanes by the inputs that they test, so that a group tests few. */
function byInputs(lanes: readonly Lane[]): readonly Lane[] {
  const keyed = lanes.map((lane) => {
    const inputs = lane.declining.flatMap((term) => term.map(({ axis }) => lane.space.axes[axis]?.input ?? -1));
    return { lane, key: [...new Set(inputs)].sort((a, b) => a - b).join() };
  });
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ lane }) => lane);
}

/** A lane with more cells has a separate group, because its limits would lengthen the rows of other lanes. */
const CELLS_APART = 4096;

/** Groups lanes, in their order, while their terms fit into the bits of one group. */
function groupLanes(lanes: readonly Lane[]): Lane[][] {
  const groups: Lane[][] = [];
  let open: Lane[] = [];
  let used = 0;
  for (const lane of lanes) {
    const terms = [...lane.declining, ...lane.referring].filter((term) => term.length > 1);
    const count = laneCountFor(terms.length);
    const axes = new Set([...lane.declining, ...lane.referring].flatMap((term) => term.map(({ axis }) => axis)));
    const cells = [...axes].reduce((sum, axis) => sum + (lane.space.axes[axis]?.size ?? 0), 0);
    if (cells > CELLS_APART || count === LANES) {
      groups.push([lane]);
      continue;
    }
    if (used + count > LANES || open.length === 0) {
      open = [];
      groups.push(open);
      used = 0;
    }
    open.push(lane);
    used += count;
  }
  return groups;
}
