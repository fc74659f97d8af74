import { asExample } from '../document/content-text.ts';
import { guarded, type Operation, type RouteGroup } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import { locateOrganization, type OrganizationCatalogs } from '../underwriting/organization-catalogs.ts';
import { capitals } from '../underwriting/served-line.ts';
import { access, type LinePorts, organizationParameter, type UnderwritingPorts } from './underwriting.ts';

const tag = 'announced';

/** Lines of business that are announced and not mounted. It is the last group of the document, because callers cannot use it yet. */
export function announcedRoutes(
  { organizations }: UnderwritingPorts,
  lines: readonly LinePorts[],
  announcedLines: readonly string[],
): RouteGroup[] {
  const mounted = new Set(['home', ...lines.map(({ line }) => line.vocabulary.line)]);
  const names = announcedLines.filter((name) => !mounted.has(name));
  if (names.length === 0) return [];
  return [
    {
      name: tag,
      description: 'Lines of business that are announced and not available yet.',
      operations: names.flatMap((name) => comingSoon(name, organizations)),
    },
  ];
}

/** The operations of an announced line. */
function comingSoon(line: string, organizations: OrganizationCatalogs | undefined): Operation[] {
  const announced = (): never => {
    throw new Problem('coming_soon', `Underwriting of ${line} is announced and not available yet. Home is available.`);
  };
  const shared = {
    method: 'post',
    tag,
    access,
    description: 'Announced: answers 501 `coming_soon` to every request with a valid token.',
    requestBody: {
      name: 'AnyObject',
      schema: { type: 'object', description: 'Not defined yet.' },
      optional: true,
      examples: asExample('Not defined yet', {}),
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
