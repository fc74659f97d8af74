import {
  type Decider,
  type Line,
  parseRequest,
  type UnderwritingRequest,
  type Verdict,
  type VerdictTerm,
} from '@leeward/engine';
import type { CarrierRequest, CarrierTerm, CarrierVerdict, VerdictSource } from '@leeward/quotes';
import type { DistancePorts } from '../distance/distance-ports.ts';
import { attachHazardEvents, type HazardEventFeed } from '../hazard-events/hazard-event-feed.ts';
import { lookUpDistances } from '../underwriting/read-home.ts';
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
export function createVerdictSource({
  rulesOf,
  lines = [],
  distance,
  hazardEvents,
  clock = () => new Date(),
}: VerdictSourcePorts): VerdictSource {
  return async (carrierKey, request): Promise<CarrierVerdict> => {
    const other = lines.find(({ line }) => line.vocabulary.policyTypes.includes(request.formType));
    const rules = await (other ?? { rulesOf }).rulesOf(request.teamId);
    const now = clock();
    const home = readHome(request, rules, now, other?.line);
    // Without a place, distances stay unknown.
    const placed = distance ? (await lookUpDistances(home, distance)).request : home;
    const { verdicts } = await rules.decide(await attachHazardEvents(placed.property, hazardEvents, now));
    const verdict = verdicts.find((each) => each.carrierKey === carrierKey);
    return verdict
      ? carrierVerdictOf(verdict, other ? {} : quoteNames)
      : { status: 'not_offered', reasons: [], missingFields: [] };
  };
}

/** Drops fields that underwriting rejects. */
function readHome(
  request: CarrierRequest,
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
    if (names.some((name) => name.startsWith('roof_'))) {
      delete body['roof_age'];
      delete body['roof_type'];
    }
    if (Object.keys(body).length === before)
      throw new TypeError(`The quote cannot be read as a home: ${names.join()}.`);
  }
}

/** Underwriting → quotes. */
const quoteNames: Readonly<Record<string, string>> = {
  roof_age: 'roof_year',
  roof_type: 'roof_option',
  structure_type: 'dwelling_type',
};

function carrierVerdictOf(verdict: Verdict, names: Readonly<Record<string, string>>): CarrierVerdict {
  const quoteName = (name: string | undefined) => (name === undefined ? undefined : (names[name] ?? name));
  return {
    status: verdict.status,
    reasons: verdict.reasons.map(({ code, message, fields }) => ({ code, message, field: quoteName(fields[0]) })),
    missingFields: verdict.missingFields.map((name) => quoteName(name)!),
    requirements: verdict.requirements.map(({ code, message }) => ({ code, message })),
    ...(verdict.terms ? { terms: Object.entries(verdict.terms).map(carrierTermOf) } : {}),
  };
}

function carrierTermOf([name, { rules: _, ...term }]: [string, VerdictTerm]): CarrierTerm {
  return { name, ...term };
}
