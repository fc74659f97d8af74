import type { Catalog, Decider, Line } from '@leeward/engine';
import type { Answer } from '../answer/answer.ts';
import type { DistancePorts } from '../distance/distance-ports.ts';
import { createContentText } from '../document/content-text.ts';
import { only } from '../document/operation-note.ts';
import { guarded, type Operation, type RouteGroup } from '../operation/operation.ts';
import type { GuardedContext } from '../operation/request-context.ts';
import { Problem } from '../problem/problem.ts';
import { locateCatalog, type ServedCatalog, servedCatalog } from '../rule-sets/served-catalog.ts';
import { decisionSchema } from '../underwriting/decision-schema.ts';
import { locateOrganization, type OrganizationCatalogs } from '../underwriting/organization-catalogs.ts';
import { underwritingRequestContent } from '../underwriting/request-content.ts';
import { capitals, expectLine, homeWords, type LineWords, wordsOfLine } from '../underwriting/served-line.ts';
import { type DecisionCapture, underwriteHome } from '../underwriting/underwrite-home.ts';

/** What homes are judged by: one catalog, or what is in force; and what organizations add. */
export interface UnderwritingPorts {
  /** Every carrier there is; a `ServedCatalog` where rules go into force while it is served. */
  readonly catalog: Catalog | ServedCatalog;
  /** Left out, no organization is known here. */
  readonly organizations?: OrganizationCatalogs;
  /** Looks up how far a home with an address or a point is from the shore. Left out, distances stay unknown. */
  readonly distance?: DistancePorts;
  /** Keeps a share of the decisions to try other rules on. Left out, none is kept. */
  readonly capture?: DecisionCapture;
  /** What `as_of` is where a request does not say. */
  readonly clock?: () => Date;
}

/** A line of business beside homes, and who writes it. */
export interface LinePorts extends UnderwritingPorts {
  readonly line: Line;
}

const tag = 'underwriting';
const access = { scopes: ['underwrite'] };
const organizationParameter = {
  organization_id: { description: 'As the administration gave it.', example: 'org_01jd4v3x9m8k7h2q5t6w0y1z2a' },
};

/** `/v1/underwrite/…`: what every carrier says of a home, and of what else is underwritten here, and why. */
export function underwritingRoutes(
  ports: UnderwritingPorts,
  lines: readonly LinePorts[] = [],
  announcedLines: readonly string[] = [],
): RouteGroup {
  const names = new Set(['home']);
  for (const { line, catalog } of lines) {
    const { vocabulary } = line;
    if (names.has(vocabulary.line)) throw new TypeError(`The line "${vocabulary.line}" is given twice.`);
    names.add(vocabulary.line);
    expectLine(line, servedCatalog(catalog).latest);
  }
  const announced = announcedLines.filter((name) => !names.has(name));
  return {
    name: tag,
    description: 'What carriers say of a home: eligible, referral, ineligible, or what they need to know.',
    operations: [
      ...operationsOf(homeWords, ports),
      ...lines.flatMap(({ line, ...each }) => operationsOf(wordsOfLine(line), each)),
      ...announced.flatMap((name) => comingSoon(name, ports.organizations)),
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
  const answered = answerExamples ? { examples: answerExamples } : {};
  const content = createContentText('UnderwritingDecision', decisionSchema, 'output', answered);
  const shared = {
    method: 'post',
    tag,
    access,
    requestBody,
    answers: { 200: { description: 'What each carrier says.', content } },
  } as const;
  return [
    guarded<Decider>({
      ...shared,
      path: `/v1/underwrite/${segment}`,
      operationId: `underwrite${name}`,
      summary: `Underwrite a ${noun} across all carriers`,
      description:
        'A field that is not given never decides: where the status hangs on it, the carrier needs information and names it.',
      locate: () => locateCatalog(catalog),
      handle: (call) => underwrite(call, null, ports),
    }),
    guarded<Decider>({
      ...shared,
      path: `/v1/underwrite/${segment}/{organization_id}`,
      operationId: `underwrite${name}ForOrganization`,
      summary: `Underwrite a ${noun} across an organization’s carriers`,
      description: 'Only the carriers appointed to the organization, its own carriers, and what its overrides tighten.',
      parameters: organizationParameter,
      locate: ({ params, caller }) => locateOrganization(params['organization_id'] ?? '', caller, ports.organizations),
      handle: (call) => underwrite(call, call.params['organization_id'] ?? null, ports),
    }),
  ];
}

async function underwrite(
  context: GuardedContext<Decider>,
  organizationId: string | null,
  { clock = () => new Date(), distance, capture }: UnderwritingPorts,
): Promise<Answer> {
  const { json, found: decider, requestId: traceId, turn, caller } = context;
  const countItems = (items: number) => context.countItems(items);
  const whose = organizationId ?? caller.organizationId;
  const options = {
    decider,
    now: clock(),
    distance,
    caller: context,
    remainingMs: context.remainingMs,
    traceId,
    organizationId,
    turn,
    countItems,
    capture: capture && { by: capture, organizationId: whose },
  };
  return { status: 200, body: await underwriteHome(json, options) };
}

/** A line that is announced: behind its token, and nothing more. */
function comingSoon(line: string, organizations: OrganizationCatalogs | undefined): Operation[] {
  const announced = (): never => {
    throw new Problem('coming_soon', `Underwriting ${line} is announced and not there yet; home is.`);
  };
  const shared = {
    method: 'post',
    tag,
    access,
    description: 'Announced: behind its token it answers 501 `coming_soon`, whatever is sent.',
    requestBody: {
      name: 'AnyObject',
      schema: { type: 'object', description: 'Not settled yet.' },
      optional: true,
      examples: only('Not settled yet', {}),
    },
    answers: {},
    problems: ['coming_soon'],
    handle: announced,
  } as const;
  return [
    guarded<never>({
      ...shared,
      path: `/v1/underwrite/${line}`,
      operationId: `underwrite${capitals(line)}`,
      summary: `Underwrite ${line}: coming soon`,
      locate: announced,
    }),
    guarded<never>({
      ...shared,
      path: `/v1/underwrite/${line}/{organization_id}`,
      operationId: `underwrite${capitals(line)}ForOrganization`,
      summary: `Underwrite ${line} for an organization: coming soon`,
      parameters: organizationParameter,
      locate: async ({ params, caller }) => {
        await locateOrganization(params['organization_id'] ?? '', caller, organizations);
        return announced();
      },
    }),
  ];
}
