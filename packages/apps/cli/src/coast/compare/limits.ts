import type { Catalog, Rule, RuleSet } from '@leeward/engine';
import { distanceTests } from '@leeward/engine/compiled';
import { MEAN_HIGH_WATER_LAYER } from '@leeward/http/distance';
import { METERS_PER_FOOT, METERS_PER_MILE } from '@leeward/terms';
import { CommandError } from '../../command-error.ts';

/** A limit on distance that homes are held to. */
export interface ComparedLimit {
  /** Undefined for a limit from `--limit`. */
  readonly carrierKey: string | undefined;
  /** Rules with this limit; empty for a limit from `--limit`. */
  readonly rules: readonly LimitRule[];
  /** Definition of the coast. */
  readonly definition: string;
  readonly meters: number;
  readonly isOpen: boolean;
  /** `1,000 feet`. */
  readonly text: string;
}

export interface LimitRule {
  readonly id: string;
  /** States in which it may decide, as lower-case postal abbreviations. Undefined for all. */
  readonly states: readonly string[] | undefined;
}

/** The rules of a limit that may decide in a state; undefined where it does not hold there at all. */
export function rulesIn(
  { carrierKey, rules }: ComparedLimit,
  state: string | undefined,
): readonly string[] | undefined {
  if (carrierKey === undefined) return [];
  const here = rules.filter(({ states }) => states === undefined || (state !== undefined && states.includes(state)));
  return here.length === 0 ? undefined : [...new Set(here.map(({ id }) => id))];
}

/** Layer for each distance field. */
const DEFINITIONS: Readonly<Record<string, string>> = {
  distance_to_tidal_water_meters: 'tidal',
  distance_to_ocean_meters: 'ocean',
  distance_to_mean_high_water_meters: MEAN_HIGH_WATER_LAYER,
};

/** The limits of carriers' rules in force on a date, each once a carrier with the rules that test it. */
export function limitsOfCarriers({ carriers }: Catalog, date: string): ComparedLimit[] {
  return carriers.flatMap(({ key, versions }) => {
    const version = versions.find(
      ({ ruleSet }) => ruleSet.effectiveFrom <= date && (ruleSet.effectiveUntil ?? '9999') > date,
    );
    return version === undefined ? [] : limitsOfRuleSet(key, version.ruleSet);
  });
}

function limitsOfRuleSet(carrierKey: string, ruleSet: RuleSet): ComparedLimit[] {
  const limitByKey = new Map<string, ComparedLimit>();
  const everywhere = ruleSet.programs.flatMap(({ places }) => places.states ?? []);
  const all = ruleSet.programs.some(({ places }) => places.states === undefined) ? undefined : everywhere;
  addLimits(carrierKey, ruleSet.rules, all, limitByKey);
  for (const { rules, places } of ruleSet.programs) addLimits(carrierKey, rules, places.states, limitByKey);
  return [...limitByKey.values()].sort((one, other) => one.meters - other.meters);
}

function addLimits(
  carrierKey: string,
  rules: readonly Rule[],
  states: readonly string[] | undefined,
  limitByKey: Map<string, ComparedLimit>,
): void {
  for (const rule of rules) {
    for (const { fact, meters, isOpen, written } of distanceTests(rule)) {
      const definition = DEFINITIONS[fact];
      if (definition === undefined) continue;
      const key = `${definition} ${meters} ${isOpen}`;
      const limit = limitByKey.get(key);
      limitByKey.set(key, {
        carrierKey,
        rules: [...(limit?.rules ?? []), { id: rule.id, states }],
        definition,
        meters,
        isOpen,
        text: limitText(written.value, unitOf(written.fact), meters),
      });
    }
  }
}

const METERS_PER = { mile: METERS_PER_MILE, foot: METERS_PER_FOOT, meter: 1, kilometer: 1_000 } as const;
type Unit = keyof typeof METERS_PER;
const PLURALS: Readonly<Record<Unit, string>> = {
  mile: 'miles',
  foot: 'feet',
  meter: 'meters',
  kilometer: 'kilometers',
};
const SPELLINGS: Readonly<Record<string, Unit>> = {
  mi: 'mile',
  mile: 'mile',
  miles: 'mile',
  ft: 'foot',
  foot: 'foot',
  feet: 'foot',
  m: 'meter',
  meter: 'meter',
  meters: 'meter',
  km: 'kilometer',
};

/** Limits as `--limit` lists them: `1000ft,1mi,25 km`. Throws a `CommandError`. */
export function readLimits(text: string, definition: string): ComparedLimit[] {
  return readLengths(text, '--limit').map(({ amount, unit, meters }) => ({
    carrierKey: undefined,
    rules: [],
    definition,
    meters,
    isOpen: false,
    text: limitText(amount, unit, meters),
  }));
}

/** A length of an option. */
export interface Length {
  readonly amount: number;
  readonly unit: Unit;
  readonly meters: number;
  /** `1,000 feet`. */
  readonly text: string;
}

/** Lengths as an option lists them: `1000ft,1mi,25 km`. Throws a `CommandError`. */
export function readLengths(text: string, option: string): Length[] {
  return text.split(',').map((part) => {
    const [, number = '', word = ''] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*$/i.exec(part) ?? [];
    const unit = SPELLINGS[word.toLowerCase()];
    const amount = Number(number);
    if (unit === undefined || !(amount > 0)) {
      throw new CommandError(`${option} names ${JSON.stringify(part.trim())}; give lengths like 1000ft, 1mi or 500m.`);
    }
    const meters = amount * METERS_PER[unit];
    return { amount, unit, meters, text: limitText(amount, unit, meters) };
  });
}

function unitOf(fact: string): Unit {
  return fact.endsWith('_feet') ? 'foot' : fact.endsWith('_meters') ? 'meter' : 'mile';
}

function limitText(amount: unknown, unit: Unit, meters: number): string {
  const value = typeof amount === 'number' ? amount : meters / METERS_PER[unit];
  return `${value.toLocaleString('en-US')} ${value === 1 ? unit : PLURALS[unit]}`;
}
