import type { Catalog, Decider } from '@leeward/engine';
import type { Answer } from '../answer/answer.ts';
import type { DistancePorts } from '../distance/distance-ports.ts';
import { jsonSchemaOf } from '../document/component-schemas.ts';
import { guarded, type Operation, type RouteGroup } from '../operation/operation.ts';
import type { GuardedContext } from '../operation/request-context.ts';
import { Problem } from '../problem/problem.ts';
import { locateCatalog, type ServedCatalog, servedCatalog } from '../rule-sets/served-catalog.ts';
import type { DecisionCapture } from '../underwriting/capture-decisions.ts';
import { decisionSchema } from '../underwriting/decision-schema.ts';
import { locateOrganization, type OrganizationCatalogs } from '../underwriting/organization-catalogs.ts';
import { underwritingRequestContent } from '../underwriting/request-content.ts';
import { underwriteHome } from '../underwriting/underwrite-home.ts';

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

const tag = 'underwriting';
const access = { scopes: ['underwrite'] };
const organizationParameter = {
  organization_id: { description: 'As the administration gave it.', example: 'org_01jd4v3x9m8k7h2q5t6w0y1z2a' },
};

/** `/v1/underwrite/…`: what every carrier says of a home, and why. */
export function underwritingRoutes(ports: UnderwritingPorts): RouteGroup {
  const { organizations } = ports;
  const catalog = servedCatalog(ports.catalog);
  const requestBody = underwritingRequestContent('HomeUnderwritingRequest', catalog.latest.vocabulary);
  const answers = {
    200: {
      description: 'What each carrier says.',
      content: { name: 'UnderwritingDecision', schema: jsonSchemaOf(decisionSchema, 'output') },
    },
  };
  const home = guarded<Decider>({
    method: 'post',
    path: '/v1/underwrite/home',
    operationId: 'underwriteHome',
    tag,
    access,
    summary: 'Underwrite a home across all carriers',
    description:
      'A field that is not given never decides: where the status hangs on it, the carrier needs information and names it.',
    requestBody,
    answers,
    locate: () => locateCatalog(catalog),
    handle: (call) => underwrite(call, null, ports),
  });
  const organizationHome = guarded<Decider>({
    method: 'post',
    path: '/v1/underwrite/home/{organization_id}',
    operationId: 'underwriteHomeForOrganization',
    tag,
    access,
    summary: 'Underwrite a home across an organization’s carriers',
    description: 'Only the carriers appointed to the organization, its own carriers, and what its overrides tighten.',
    parameters: organizationParameter,
    requestBody,
    answers,
    locate: ({ params, caller }) => locateOrganization(params['organization_id'] ?? '', caller, organizations),
    handle: (call) => underwrite(call, call.params['organization_id'] ?? null, ports),
  });
  const description = 'What carriers say of a home: eligible, referral, ineligible, or what they need to know.';
  return {
    name: tag,
    description,
    operations: [home, organizationHome, ...comingSoon('condo', organizations), ...comingSoon('flood', organizations)],
  };
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
    traceId,
    organizationId,
    turn,
    countItems,
    capture: capture && { by: capture, organizationId: whose },
  };
  return { status: 200, body: await underwriteHome(json, options) };
}

/** A line that is announced: behind its token, and nothing more. */
function comingSoon(line: 'condo' | 'flood', organizations: OrganizationCatalogs | undefined): Operation[] {
  const announced = (): never => {
    throw new Problem('coming_soon', `Underwriting ${line} is announced and not there yet; home is.`);
  };
  const shared = {
    method: 'post',
    tag,
    access,
    requestBody: { name: 'AnyObject', schema: { type: 'object', description: 'Not settled yet.' }, optional: true },
    answers: {},
    problems: ['coming_soon'],
    handle: announced,
  } as const;
  return [
    guarded<never>({
      ...shared,
      path: `/v1/underwrite/${line}`,
      operationId: `underwrite${capital(line)}`,
      summary: `Underwrite ${line}: coming soon`,
      locate: announced,
    }),
    guarded<never>({
      ...shared,
      path: `/v1/underwrite/${line}/{organization_id}`,
      operationId: `underwrite${capital(line)}ForOrganization`,
      summary: `Underwrite ${line} for an organization: coming soon`,
      parameters: organizationParameter,
      locate: async ({ params, caller }) => {
        await locateOrganization(params['organization_id'] ?? '', caller, organizations);
        return announced();
      },
    }),
  ];
}

function capital(word: string): string {
  return `${word[0]?.toUpperCase()}${word.slice(1)}`;
}
