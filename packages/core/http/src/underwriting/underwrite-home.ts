import type { Decider, DecidingOptions, Decision, Property } from '@leeward/engine';
import {
  type Almanac,
  certaintiesOf,
  createAlmanac,
  createTurn,
  eventsInReach,
  FACT_TIMEOUT_MS,
  nextTurn,
  type Turn,
} from '@leeward/engine/compiled';
import type { HazardEvent } from '@leeward/engine/events';
import { type AnswerVersions, decisionVersions } from '../answer/answer-versions.ts';
import type { FoundPlace } from '../distance/found-place.ts';
import type { PlaceAnswer } from '../distance/place-footprint.ts';
import { attachHazardEvents, type HazardEventFeed } from '../hazard-events/hazard-event-feed.ts';
import { invalidRequest } from '../problem/problem.ts';
import { inSpan } from '../trace/tracing.ts';
import type { WireDecision } from './decision-schema.ts';
import { createDistanceFieldNames } from './distance-field-names.ts';
import { createDistanceLimits } from './distance-limits.ts';
import { explainVerdicts, MAX_EXPLAINED } from './explain-verdicts.ts';
import { hasAreas, type ReadHomeOptions, readHome } from './read-home.ts';
import { answeredVerdicts, writeDecision } from './write-decision.ts';

/** Saves a share of the decisions for replay: `captureDecisions` of `@leeward/http-admin`. */
export interface DecisionCapture {
  /** True if the next decision is to be saved. */
  wants(decider: Decider): boolean;
  /** Does not wait until the decision is saved. */
  decide(
    organizationId: string | null,
    decider: Decider,
    property: Property,
    options: DecidingOptions & { readonly versions?: AnswerVersions },
  ): Promise<Decision>;
}

/** The catalog, and the identifiers in the answer. */
export interface UnderwriteHomeOptions extends Omit<ReadHomeOptions, 'vocabulary'> {
  readonly decider: Decider;
  readonly traceId: string;
  readonly organizationId: string | null;
  /** Storms and other events. If omitted, they are unknown. */
  readonly hazardEvents?: HazardEventFeed | undefined;
  /** If omitted, none is saved. */
  readonly capture?: { readonly by: DecisionCapture; readonly organizationId: string | null } | undefined;
  /** If omitted, a new one. */
  readonly turn?: Turn;
  /** Time until the deadline, in ms. Facts of the host may take half of it, then they are unknown. @default Infinity */
  readonly remainingMs?: number;
  /** Called with the number of policy types or explanations beforehand. If omitted, they are not counted. */
  readonly countItems?: (items: number) => void | Promise<void>;
}

/** A decision, and the shores that it was measured to. */
export interface DecisionWithShores {
  readonly decision: WireDecision;
  /** Undefined if no place was looked up or found. */
  readonly place: FoundPlace | undefined;
  /** The nearest shore for each measured distance. */
  readonly shores: readonly MeasuredShore[];
}

/** The nearest shore of a measured distance. */
export interface MeasuredShore {
  /** `distance_to_tidal_water_meters` */
  readonly fact: string;
  /** In sentences: `tidal water`. */
  readonly to: string;
  readonly answer: PlaceAnswer;
}

/**
 * Decides on a home, in wire form.
 *
 * @throws {Problem} `invalid_request` with all faults
 *
 * @example
 * const decision = await underwriteHome(
 *   { state: 'tx', roof_age: 12 },
 *   { decider: catalog, now: new Date(), traceId: crypto.randomUUID(), organizationId: null },
 * );
 */
export async function underwriteHome(body: unknown, options: UnderwriteHomeOptions): Promise<WireDecision> {
  return (await underwriteWithShores(body, options)).decision;
}

/**
 * Like `underwriteHome`, with the place of the home and the nearest shores, for evidence.
 *
 * @throws {Problem} `invalid_request` with all faults
 *
 * @example
 * const { decision, shores } = await underwriteWithShores({ state: 'fl', lat: 25.78, lng: -80.13 }, options);
 */
export async function underwriteWithShores(body: unknown, options: UnderwriteHomeOptions): Promise<DecisionWithShores> {
  const { decider, traceId, organizationId, turn = createTurn() } = options;
  const read = await readHome(body, {
    ...options,
    vocabulary: decider.vocabulary,
    usesLocation: () => hasAreas(decider),
    certainties: () => certaintiesOf(decider),
  });
  if (!read.ok) throw invalidRequest(read.faults);
  const { request, distances } = read;
  const property = await attachHazardEvents(request.property, options.hazardEvents, options.now);
  if (property.policyType === undefined) await options.countItems?.(decider.vocabulary.policyTypes.length);
  const almanac = hostFacts(property, options);
  const versions = decisionVersions(decider, distances?.versions);
  const decision = await inSpan('underwrite.decide', () => decide(property, options, { turn, ...almanac, versions }));
  let explained: Awaited<ReturnType<typeof explainVerdicts>> | undefined;
  if (request.explain) {
    const verdicts = answeredVerdicts(request, decision);
    await options.countItems?.(Math.min(verdicts.length, MAX_EXPLAINED));
    explained = await inSpan('underwrite.explain', () => explainVerdicts(decider, property, verdicts, turn, almanac));
  }
  await nextTurn(turn);
  const limitsOf = distances && createDistanceLimits(decider, property, distances);
  const events = eventsAtHand(decider, decision, property);
  const distanceNames = createDistanceFieldNames(decider, property);
  const at = { traceId, organizationId, distances, limitsOf, distanceNames, explained, events, versions };
  return {
    decision: writeDecision(request, decision, at),
    place: distances?.location,
    shores: (distances?.distances ?? []).flatMap(({ fact, to, shore }) =>
      shore === undefined ? [] : [{ fact, to, answer: shore }],
    ),
  };
}

/** Events in force that rules of the evaluated versions may match. Undefined without any. */
function eventsAtHand(
  decider: Decider,
  { verdicts }: Decision,
  property: Property,
): readonly HazardEvent[] | undefined {
  const { events, asOfMs } = property;
  if (events === undefined || events.length === 0) return undefined;
  const evaluated = new Set(verdicts.map(({ ruleSet }) => ruleSet.sha256));
  const ruleSets = decider.carriers.flatMap(({ versions }) => versions.map(({ ruleSet }) => ruleSet));
  const inReach = eventsInReach(
    ruleSets.filter(({ sha256 }) => evaluated.has(sha256)),
    property,
  );
  return inReach?.filter(({ until }) => typeof until !== 'string' || Date.parse(until) > asOfMs);
}

/** Half of the time, so that a hanging fact does not prevent an answer. */
function hostFacts(
  property: Property,
  { decider, caller, remainingMs = Number.POSITIVE_INFINITY }: UnderwriteHomeOptions,
): { almanac?: Almanac } {
  const { options } = decider;
  if (Object.keys(options.facts ?? {}).length === 0) return {};
  const factTimeoutMs = Math.min(options.factTimeoutMs ?? FACT_TIMEOUT_MS, remainingMs / 2);
  return { almanac: createAlmanac(options, property, { factTimeoutMs, ...(caller ? { signal: caller.signal } : {}) }) };
}

async function decide(
  property: Property,
  { decider, capture }: UnderwriteHomeOptions,
  deciding: DecidingOptions & { readonly versions: AnswerVersions },
): Promise<Decision> {
  if (!capture?.by.wants(decider)) return decider.decide(property, deciding);
  return capture.by.decide(capture.organizationId, decider, property, deciding);
}
