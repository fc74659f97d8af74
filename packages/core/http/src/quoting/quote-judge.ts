import { type Decider, type Line, parseRequest, type UnderwritingRequest, type Verdict } from '@leeward/engine';
import type { CarrierRequest, CarrierVerdict, VerdictSource } from '@leeward/quotes';
import type { DistancePorts } from '../distance/distance-ports.ts';
import { lookUpDistances } from '../underwriting/read-home.ts';
import { quoteHome, quoteOfLine } from './quote-home.ts';

/** What carriers of a quote are judged by: the rules of a team, and distances where rules ask for them. */
export interface QuoteJudgePorts {
  /** The rules by which a team's carriers are judged: those of its organization, overrides included. */
  readonly rulesOf: (teamId: string) => Promise<Decider>;
  /** Lines of business beside homes, each with its own rules. */
  readonly lines?: readonly { readonly line: Line; readonly rulesOf: (teamId: string) => Promise<Decider> }[];
  /** By which a home's distances to the coast are looked up from its address; without it they stay unknown. */
  readonly distance?: DistancePorts;
  readonly clock?: () => Date;
}

/** What a carrier's rules say of a quote, so that a home it would not take is not rated. */
export function createQuoteJudge({
  rulesOf,
  lines = [],
  distance,
  clock = () => new Date(),
}: QuoteJudgePorts): VerdictSource {
  return async (carrierKey, request): Promise<CarrierVerdict> => {
    const other = lines.find(({ line }) => line.vocabulary.policyTypes.includes(request.formType));
    const rules = await (other ?? { rulesOf }).rulesOf(request.teamId);
    const home = readHome(request, rules, clock(), other?.line);
    // A place that cannot be found, or a geocoder out of reach, leaves the distances unknown.
    const placed = distance ? (await lookUpDistances(home, distance)).request : home;
    const { verdicts } = await rules.decide(placed.property);
    const verdict = verdicts.find((each) => each.carrierKey === carrierKey);
    return verdict
      ? carrierVerdictOf(verdict, other ? {} : quoteNames)
      : { status: 'not_offered', reasons: [], missingFields: [] };
  };
}

/** Fields that underwriting cannot read are left out, one after another, until the rest is a home. */
function readHome(
  request: CarrierRequest,
  { vocabulary }: Decider,
  now: Date,
  line: Line | undefined,
): UnderwritingRequest {
  const { fields, formType, effectiveDate } = request;
  const body = line ? quoteOfLine(line, fields, formType, effectiveDate) : quoteHome(fields, formType, effectiveDate);
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
      throw new TypeError(`No home can be read from the quote: ${names.join()}.`);
  }
}

/** Names of underwriting as quotes have them. */
const quoteNames: Readonly<Record<string, string>> = {
  roof_age: 'roof_year',
  roof_type: 'roof_option',
  structure_type: 'dwelling_type',
};

function carrierVerdictOf(verdict: Verdict, names: Readonly<Record<string, string>>): CarrierVerdict {
  const named = (name: string | undefined) => (name === undefined ? undefined : (names[name] ?? name));
  return {
    status: verdict.status,
    reasons: verdict.reasons.map(({ code, message, fields }) => ({ code, message, field: named(fields[0]) })),
    missingFields: verdict.missingFields.map((name) => named(name)!),
    requirements: verdict.requirements.map(({ code, message }) => ({ code, message })),
  };
}
