import { createHash } from 'node:crypto';
import {
  createProperty,
  type Decider,
  type Line,
  type Property,
  parseRequest,
  type UnderwritingRequest,
  type Verdict,
  type VerdictTerm,
  type VerdictTier,
} from '@leeward/engine';
import { certaintiesOf, distanceNames, type GivenKnowledge } from '@leeward/engine/compiled';
import type { HazardEvent } from '@leeward/engine/events';
import type {
  CarrierClosure,
  CarrierTerm,
  CarrierTier,
  CarrierVerdict,
  ClosureRequest,
  ClosureSource,
  VerdictSource,
} from '@leeward/quotes';
import type { DistancePorts } from '../distance/distance-ports.ts';
import { attachHazardEvents, type HazardEventFeed } from '../hazard-events/hazard-event-feed.ts';
import { createDistanceFieldNames } from '../underwriting/distance-field-names.ts';
import { hasAreas, lookUpDistances } from '../underwriting/read-home.ts';
import { readAnswersOfOthers, testedAnswers, waitsForOthers } from './other-carriers.ts';
import { quoteHome, quoteOfLine } from './quote-home.ts';

/** Rules of teams, and lookups of distances. */
export interface VerdictSourcePorts {
  /** With the overrides of the team's organization. */
  readonly rulesOf: (teamId: string) => Promise<Decider>;
  /** Rules of other lines. @default [] */
  readonly lines?: readonly { readonly line: Line; readonly rulesOf: (teamId: string) => Promise<Decider> }[];
  /** Storms and other events. If omitted, they are unknown. */
  readonly hazardEvents?: HazardEventFeed;
  /** Distances by address. If omitted, they stay unknown. */
  readonly distance?: DistancePorts;
  /** The group of affiliated carriers of a carrier. If omitted, the number of groups that declined is known within bounds. */
  readonly groupOf?: (carrierKey: string) => string | undefined;
  /** If omitted, the system's clock. */
  readonly clock?: () => Date;
}

/**
 * Evaluates quotes by the carrier's rules, so that declined homes are not rated.
 *
 * @example
 * const verdicts = createVerdictSource({ rulesOf: async () => catalog });
 * createQuotes({ database, queue, teams, carriers: carriers.map((carrier) => withVerdict(carrier, verdicts)) });
 */
export function createVerdictSource(ports: VerdictSourcePorts): VerdictSource {
  const placeHome = createHomeReader(ports);
  const { groupOf } = ports;
  return async (carrierKey, request, answers = {}): Promise<CarrierVerdict> => {
    const { rules, property, names } = await placeHome(request);
    const verdictOn = async (each: Property) =>
      (await rules.decide(each)).verdicts.find((verdict) => verdict.carrierKey === carrierKey);
    const missing = [...testedAnswers(rules, carrierKey)].filter((name) => isMissing(property, name));
    const written = (verdict: Verdict | undefined) =>
      carrierVerdictOf(verdict && inUnitsOfRules(verdict, rules, property), names);
    const before = await verdictOn(property);
    // No answer of another carrier changes these.
    if (missing.length === 0 || !before || before.status === 'ineligible') return written(before);
    const facts: Record<string, GivenKnowledge> = {};
    let waits = false;
    let dependsOnOthers = false;
    if (missing.some((name) => name !== 'own_premium') && answers.readOthers) {
      const { rates, canWait } = await answers.readOthers();
      const counted = rates.filter(
        (each) => each.formType === request.formType && !waitsForOthers(rules, each.carrierKey),
      );
      dependsOnOthers = true;
      waits = canWait && counted.some(({ outcome }) => outcome === undefined);
      Object.assign(facts, readAnswersOfOthers(counted, groupOf));
    }
    if (answers.ownPremiumCents !== undefined) facts['own_premium'] = Number(answers.ownPremiumCents) / 100;
    return {
      ...written(await verdictOn(withFacts(property, facts))),
      ...(waits ? { waitsForOthers: true } : {}),
      ...(dependsOnOthers ? { dependsOnOthers } : {}),
      ...(missing.includes('own_premium') && answers.ownPremiumCents === undefined ? { testsOwnPremium: true } : {}),
    };
  };
}

/**
 * Finds the carriers that events close for the homes of open quotes: `closures` of `createQuotes`.
 *
 * @example
 * const closures = createClosureSource({ rulesOf: async () => catalog, hazardEvents });
 * createQuotes({ database, queue, teams, carriers, closures });
 */
export function createClosureSource(
  ports: VerdictSourcePorts & { readonly hazardEvents: HazardEventFeed },
): ClosureSource {
  const { hazardEvents, clock = () => new Date() } = ports;
  const placeHome = createHomeReader({ ...ports, clock });
  return {
    subscribe(listener) {
      const read = () => stampOfEvents(hazardEvents.latest.events, clock().getTime());
      let lastStamp = read();
      const look = () => {
        const stamp = read();
        if (stamp !== lastStamp) listener();
        lastStamp = stamp;
      };
      const unsubscribe = hazardEvents.subscribe(look);
      // Events begin and end without a change of the feed.
      const timer = setInterval(look, LOOK_MS);
      timer.unref();
      return () => {
        unsubscribe();
        clearInterval(timer);
      };
    },
    stamp: async () => stampOfEvents((await hazardEvents.current()).events, clock().getTime()),
    async closuresOf(request) {
      const { rules, property, names } = await placeHome(request);
      if (property.events === undefined) return undefined;
      const { verdicts } = await rules.decide(property);
      const isRefused = ({ status }: Verdict) => status === 'ineligible';
      // Without a refusal no event closes anything.
      const usual = verdicts.some(isRefused) ? (await rules.decide({ ...property, events: [] })).verdicts : verdicts;
      const refused = new Set(usual.filter(isRefused).map(({ carrierKey }) => carrierKey));
      return verdicts.map((verdict): CarrierClosure => {
        const { carrierKey } = verdict;
        if (!isRefused(verdict)) return { carrierKey, state: 'open', reasons: [] };
        if (refused.has(carrierKey)) return { carrierKey, state: 'refused', reasons: [] };
        return { carrierKey, state: 'closed', reasons: carrierVerdictOf(verdict, names).reasons };
      });
    },
  };
}

const LOOK_MS = 2_000;
const hashes = new WeakMap<readonly HazardEvent[], string>();

/** Equal in all processes: a hash of the events, and the number of their starts and ends that have passed. */
export function stampOfEvents(events: readonly HazardEvent[] | undefined, nowMs: number): string | undefined {
  if (events === undefined) return undefined;
  let hash = hashes.get(events);
  if (hash === undefined) {
    hash = createHash('sha256').update(JSON.stringify(events)).digest('hex');
    hashes.set(events, hash);
  }
  const instants = events.flatMap(({ from, until }) => (typeof until === 'string' ? [from, until] : [from]));
  return `${hash} ${instants.filter((instant) => Date.parse(instant) <= nowMs).length}`;
}

/** Reads a quote as a home, with its place and the current events, and finds the rules of its team. */
function createHomeReader({
  rulesOf,
  lines = [],
  distance,
  hazardEvents,
  clock = () => new Date(),
}: VerdictSourcePorts) {
  return async (request: ClosureRequest) => {
    const other = lines.find(({ line }) => line.vocabulary.policyTypes.includes(request.formType));
    const rules = await (other ?? { rulesOf }).rulesOf(request.teamId);
    const now = clock();
    const home = readHome(request, rules, now, other?.line);
    // Without a place, distances stay unknown.
    const places = { usesLocation: () => hasAreas(rules), certainties: () => certaintiesOf(rules) };
    const placed = distance ? (await lookUpDistances(home, distance, places)).request : home;
    const property = await attachHazardEvents(placed.property, hazardEvents, now);
    return { rules, property, names: other ? {} : quoteNames };
  };
}

function isMissing({ vocabulary, givenValues, values }: Property, name: string): boolean {
  const position = vocabulary.fields.findIndex((field) => field.name === name);
  return position >= 0 && (givenValues ?? values)[position] === undefined;
}

/** Adds facts that the request does not give. */
function withFacts(property: Property, facts: Readonly<Record<string, GivenKnowledge>>): Property {
  const { vocabulary, givenValues = property.values } = property;
  const values = Object.fromEntries(
    vocabulary.fields.map(({ name }, index) => [name, givenValues[index] ?? facts[name]]),
  );
  return createProperty({ ...property, values });
}

/** Drops fields that underwriting rejects. */
function readHome(
  request: ClosureRequest,
  { vocabulary }: Decider,
  now: Date,
  line: Line | undefined,
): UnderwritingRequest {
  const { fields, formType, effectiveDate } = request;
  const body = line
    ? quoteOfLine(line, fields, formType, effectiveDate)
    : quoteHome(fields, formType, effectiveDate, vocabulary);
  for (;;) {
    const parsed = parseRequest(body, { now, vocabulary });
    if (parsed.ok) return parsed.request;
    const names = parsed.faults.map((fault) => fault.path.split('/')[1] ?? '');
    const before = Object.keys(body).length;
    for (const name of names) delete body[name];
    // Two distances to one shore: neither is more credible.
    for (const { code, path } of parsed.faults) {
      const field = distanceNames.find(([name]) => code === 'distance_given_twice' && path === `/${name}`)?.[1];
      for (const [name, other] of distanceNames) if (field === other) delete body[name];
    }
    if (names.some((name) => name.startsWith('roof_'))) {
      delete body['roof_age'];
      delete body['roof_type'];
    }
    if (Object.keys(body).length === before)
      throw new TypeError(`The quote cannot be read as a home: ${names.join()}.`);
  }
}

/** Missing distances have the name that the rules use. */
function inUnitsOfRules(verdict: Verdict, rules: Decider, property: Property): Verdict {
  const names = createDistanceFieldNames(rules, property);
  return { ...verdict, missingFields: names.inUnitsOfRules(verdict, verdict.missingFields) };
}

/** Underwriting → quotes. */
const quoteNames: Readonly<Record<string, string>> = {
  roof_age: 'roof_year',
  roof_type: 'roof_option',
  structure_type: 'dwelling_type',
};

function carrierVerdictOf(verdict: Verdict | undefined, names: Readonly<Record<string, string>>): CarrierVerdict {
  if (!verdict) return { status: 'not_offered', reasons: [], missingFields: [] };
  const quoteName = (name: string | undefined): string | undefined => {
    // Quotes have evidence apart from the values.
    const [value, part] = name?.split('.') ?? [];
    if (value !== undefined && part !== undefined) return `evidence.${names[value] ?? value}.${part}`;
    return name === undefined ? undefined : (names[name] ?? name);
  };
  return {
    status: verdict.status,
    reasons: verdict.reasons.map(({ code, message, fields }) => ({ code, message, field: quoteName(fields[0]) })),
    missingFields: verdict.missingFields.map((name) => quoteName(name)!),
    requirements: verdict.requirements.map(({ code, message }) => ({ code, message })),
    ...(verdict.terms ? { terms: Object.entries(verdict.terms).map(carrierTermOf) } : {}),
    ...(verdict.tier ? { tier: verdict.tier } : {}),
    ...(verdict.possibleTiers ? { possibleTiers: verdict.possibleTiers.map(carrierTierOf) } : {}),
  };
}

function carrierTermOf([name, { rules: _, ...term }]: [string, VerdictTerm]): CarrierTerm {
  return { name, ...term };
}

function carrierTierOf({ of, rank, name, programId }: VerdictTier): CarrierTier {
  return { of, rank, programId, ...(name === undefined ? {} : { name }) };
}
