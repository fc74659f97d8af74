import type { Catalog, Decider, Line } from '@leeward/engine';
import type { Answer } from '../answer/answer.ts';
import { versionHeaders } from '../answer/answer-versions.ts';
import type { DistancePorts } from '../distance/distance-ports.ts';
import { createContentText } from '../document/content-text.ts';
import type { HazardEventFeed } from '../hazard-events/hazard-event-feed.ts';
import { guarded, type Operation, type RouteGroup } from '../operation/operation.ts';
import type { GuardedContext } from '../operation/request-context.ts';
import { locateCatalog, type ServedCatalog, servedCatalog } from '../rule-sets/served-catalog.ts';
import { decisionSchema } from '../underwriting/decision-schema.ts';
import { locateOrganization, type OrganizationCatalogs } from '../underwriting/organization-catalogs.ts';
import { underwritingRequestContent } from '../underwriting/request-content.ts';
import { expectLine, homeWords, type LineWords, wordsOfLine } from '../underwriting/served-line.ts';
import { type DecisionCapture, underwriteHome } from '../underwriting/underwrite-home.ts';

/** Rules for underwriting, and lookups of places. */
export interface UnderwritingPorts {
  /** All carriers: a fixed catalog, or a `ServedCatalog` that follows the rules in force. */
  readonly catalog: Catalog | ServedCatalog;
  /** Catalogs of organizations. If omitted, every organization is unknown. */
  readonly organizations?: OrganizationCatalogs;
  /** Looks up the distance to the shore for a home with an address or a point. If omitted, distances stay unknown. */
  readonly distance?: DistancePorts;
  /** Storms and other events that rules test. If omitted, they are unknown, and carriers whose rules test them need information. */
  readonly hazardEvents?: HazardEventFeed;
  /** Saves a share of the decisions. If omitted, none is saved. */
  readonly capture?: DecisionCapture;
  /** The default of `as_of`. If omitted, the system's clock. */
  readonly clock?: () => Date;
}

/** Another line of business, with its carriers. */
export interface LinePorts extends UnderwritingPorts {
  readonly line: Line;
}

const tag = 'underwriting';
export const access = { scopes: ['underwrite'] };
export const organizationParameter = {
  organization_id: {
    description: 'The organization’s identifier.',
    example: 'org_01jd4v3x9m8k7h2q5t6w0y1z2a',
  },
};

/** `/v1/underwrite/…`: the verdicts of carriers on a home, or on a risk of another line. */
export function underwritingRoutes(ports: UnderwritingPorts, lines: readonly LinePorts[] = []): RouteGroup {
  const names = new Set(['home']);
  for (const { line, catalog } of lines) {
    const { vocabulary } = line;
    if (names.has(vocabulary.line)) throw new TypeError(`The line "${vocabulary.line}" is mounted twice.`);
    names.add(vocabulary.line);
    expectLine(line, servedCatalog(catalog).latest);
  }
  return {
    name: tag,
    description: 'Verdicts of carriers on a home: eligible, referral, ineligible, or needs information.',
    operations: [
      ...operationsOf(homeWords, ports),
      ...lines.flatMap(({ line, ...each }) => operationsOf(wordsOfLine(line), each)),
    ],
  };
}

function operationsOf({ segment, name, noun, ...examples }: LineWords, ports: UnderwritingPorts): Operation[] {
  const catalog = servedCatalog(ports.catalog);
  const { requestExamples, answerExamples } = examples;
  const requestBody = underwritingRequestContent(
    `${name}UnderwritingRequest`,
    catalog.latest.vocabulary,
    requestExamples,
  );
  const content = createContentText('UnderwritingDecision', decisionSchema, 'output', { examples: answerExamples });
  const shared = {
    method: 'post',
    tag,
    access,
    requestBody,
    answers: { 200: { description: 'The verdict of each carrier.', content, isVersioned: true } },
  } as const;
  return [
    guarded<Decider>({
      ...shared,
      path: `/v1/underwrite/${segment}`,
      operationId: `underwrite${name}`,
      summary: `Underwrite a ${noun} across all carriers`,
      description:
        'A missing field is unknown, not false. If the status depends on it, the verdict is `needs_information` and names the field.',
      locate: () => locateCatalog(catalog),
      handle: (call) => underwrite(call, null, ports),
    }),
    guarded<Decider>({
      ...shared,
      path: `/v1/underwrite/${segment}/{organization_id}`,
      operationId: `underwrite${name}ForOrganization`,
      summary: `Underwrite a ${noun} across an organization’s carriers`,
      description:
        'The carriers appointed to the organization, under its overrides, and the carriers of the organization.',
      parameters: organizationParameter,
      locate: ({ params, caller }) => locateOrganization(params['organization_id'] ?? '', caller, ports.organizations),
      handle: (call) => underwrite(call, call.params['organization_id'] ?? null, ports),
    }),
  ];
}

async function underwrite(
  context: GuardedContext<Decider>,
  organizationId: string | null,
  { clock = () => new Date(), distance, hazardEvents, capture }: UnderwritingPorts,
): Promise<Answer> {
  const { json, resource: decider, requestId: traceId, turn, caller } = context;
  const countItems = (items: number) => context.countItems(items);
  const captureOwner = organizationId ?? caller.organizationId;
  const options = {
    decider,
    now: clock(),
    distance,
    hazardEvents,
    caller: context,
    remainingMs: context.remainingMs,
    traceId,
    organizationId,
    turn,
    countItems,
    capture: capture && { by: capture, organizationId: captureOwner },
  };
  const decision = await underwriteHome(json, options);
  return { status: 200, headers: versionHeaders(decision.versions), body: decision };
}
