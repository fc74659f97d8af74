/** The events behind a rule, for messages and reasons: their names, and the time at which a moratorium ends. */
import { matchingEvents } from '../condition/computed.ts';
import type { Aggregate, Leaf, Tree } from '../condition/condition.ts';
import { type HomeMoment, readEventField, timesOf } from '../condition/event-items.ts';
import { COMPUTE, type Compute, type Facts } from '../condition/fact-map.ts';
import { parseOperator } from '../condition/operators.ts';
import { treeTruth } from '../condition/tree-truth.ts';
import type { HazardEvent } from '../events/hazard-event.ts';
import { isWithin, type Knowledge } from '../request/knowledge.ts';
import { eventList } from '../vocabulary/event-list.ts';

const HOUR_MS = 3_600_000;
/** Maximum number of events that a message names. */
const MAX_NAMED = 3;

/** `Hurricane Ida`, `an earthquake of magnitude 5.6`. */
export function nameOfEvent({ kind, name, magnitude }: HazardEvent): string {
  const words = kind.replace(/^x_/, '').replaceAll('_', ' ');
  if (name !== undefined) return `${words.replace(/(^| )[a-z]/g, (letter) => letter.toUpperCase())} ${name}`;
  const article = /^[aeiou]/.test(words) ? 'an' : 'a';
  return kind === 'earthquake' && magnitude !== undefined
    ? `${article} ${words} of magnitude ${magnitude}`
    : `${article} ${words}`;
}

/** Replaces `{event}` by the names of the events that match the condition: the certain ones, else the possible ones. */
export function quoteEvents(message: string, condition: Tree, facts: Facts): string {
  if (!message.includes('{event}')) return message;
  const names = namesOfEvents(condition, facts);
  return message.replace(/(^|[.!?] )\{event\}|\{event\}/g, (_, start: string | undefined) =>
    start === undefined ? names : `${start}${names[0]!.toUpperCase()}${names.slice(1)}`,
  );
}

function namesOfEvents(condition: Tree, facts: Facts): string {
  const { source } = facts.get(COMPUTE) as Compute;
  const moment = source.momentOf?.();
  if (moment?.events === undefined) return 'an event';
  const matching = new Map<HazardEvent, boolean>();
  for (const aggregate of positiveAggregates(condition)) {
    for (const { event, isCertain } of matchingEvents(aggregate, moment, source.effectiveDate))
      matching.set(event, isCertain || matching.get(event) === true);
  }
  const isAnyCertain = [...matching.values()].includes(true);
  const named = [...matching]
    .filter(([, isCertain]) => isCertain === isAnyCertain)
    .map(([event]) => nameOfEvent(event));
  const names = [...new Set(named)];
  if (names.length === 0) return 'an event';
  if (names.length > MAX_NAMED) {
    const others = names.length - MAX_NAMED;
    return `${names.slice(0, MAX_NAMED).join(', ')} and ${others} other ${others === 1 ? 'event' : 'events'}`;
  }
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/**
 * Describes the events that an aggregate takes for a home: `Hurricane Ida, 82 miles away`. Undefined if there are none, or
 * if events are unknown.
 */
export function describeMatching(aggregate: Aggregate, { source }: Compute): string | undefined {
  const moment = source.momentOf?.();
  if (aggregate.list.name !== eventList.name || !moment) return undefined;
  const texts = matchingEvents(aggregate, moment, source.effectiveDate).map(({ event, isCertain }) => {
    const miles = readEventField('miles_from_home', event, moment);
    const text = `${nameOfEvent(event)}${miles === undefined ? '' : `, ${printMiles(miles)} away`}`;
    return isCertain ? text : `possibly ${text}`;
  });
  if (texts.length === 0) return undefined;
  const others = texts.length - MAX_NAMED;
  return `${texts.slice(0, MAX_NAMED).join('; ')}${others > 0 ? `; and ${others} more` : ''}`;
}

function printMiles(miles: Knowledge): string {
  if (!isWithin(miles) || miles.kind !== 'between') return `${Math.round(miles as number)} miles`;
  const [min, max] = [Math.round(miles.min), Math.round(miles.max)];
  return min === max ? `${min} miles` : `${min} to ${max} miles`;
}

/** Lists of events whose items make a condition hold, not fail. */
function positiveAggregates(tree: Tree, isNegated = false): Aggregate[] {
  if (tree.kind === 'not') return positiveAggregates(tree.of, !isNegated);
  if (tree.kind !== 'leaf') return tree.of.flatMap((each) => positiveAggregates(each, isNegated));
  const { computed } = tree;
  if (computed?.kind !== 'aggregate' || computed.list.name !== eventList.name) return [];
  return grows(tree) === isNegated ? [] : [computed];
}

/** True if more matching items can make the test hold. */
function grows({ operator, computed }: Leaf): boolean {
  const parsed = parseOperator(operator);
  const isNot = (parsed?.decorators.length ?? 0) % 2 === 1;
  const isUpward =
    computed?.kind === 'aggregate' && computed.apply === 'min'
      ? /^lessThan/.test(parsed?.base.name ?? '')
      : /^(greaterThan|notEqual)/.test(parsed?.base.name ?? '');
  return isUpward !== isNot;
}

/**
 * Returns the time at which a moratorium ends if no event changes, epoch milliseconds; infinite if it is open: an event
 * continues, or its condition does not limit the time.
 */
export function endOfMoratorium(condition: Tree, facts: Facts): number {
  const { source } = facts.get(COMPUTE) as Compute;
  const moment = source.momentOf?.();
  return moment ? endOf(condition, moment, source.effectiveDate, facts) : Number.POSITIVE_INFINITY;
}

function endOf(tree: Tree, moment: HomeMoment, effectiveDate: string, facts: Facts): number {
  if (tree.kind === 'not') return Number.POSITIVE_INFINITY;
  if (tree.kind !== 'leaf') {
    const ends = (some: readonly Tree[]) => some.map((each) => endOf(each, moment, effectiveDate, facts));
    if (tree.kind === 'all') return Math.min(...ends(tree.of));
    return Math.max(...ends(tree.of.filter((each) => treeTruth(each, facts) !== 'false')));
  }
  const { computed, value, operator } = tree;
  if (computed?.kind === 'moment' && computed.fact === 'request_time' && operator === 'lessThan')
    return value as number;
  if (computed?.kind !== 'aggregate' || computed.list.name !== eventList.name || !grows(tree))
    return Number.POSITIVE_INFINITY;
  const ends = matchingEvents(computed, moment, effectiveDate).map(({ event }) => endOfMatch(computed, event));
  return ends.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...ends);
}

/** Time at which an event stops to match, by the limits on hours of a condition that needs all of its parts. */
function endOfMatch({ where }: Aggregate, event: HazardEvent): number {
  const { fromMs, untilMs } = timesOf(event);
  const tests = where?.kind === 'all' ? where.of : where ? [where] : [];
  let end = Number.POSITIVE_INFINITY;
  for (const test of tests) {
    if (test.kind !== 'leaf') continue;
    const { fact, operator, value } = test;
    if (test.written.fact === 'ongoing' && test.written.value === true && operator === 'equal')
      end = Math.min(end, untilMs);
    const isLimit =
      operator === 'lessThan' || operator === 'lessThanInclusive' || (operator === 'equal' && value === 0);
    if (!isLimit || typeof value !== 'number') continue;
    if (fact === 'hours_since_end') end = Math.min(end, untilMs + value * HOUR_MS);
    if (fact === 'hours_since_start') end = Math.min(end, fromMs + value * HOUR_MS);
  }
  return end;
}
