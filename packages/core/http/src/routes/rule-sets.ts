import type { Decider } from '@leeward/engine';
import { createContentText } from '../document/content-text.ts';
import { guarded, type Operation, type RouteGroup } from '../operation/operation.ts';
import type { GuardedContext } from '../operation/request-context.ts';
import { checkBody } from '../request/check-body.ts';
import { readRuleSetsRequest, ruleSetsInForceSchema } from '../rule-sets/rule-sets-schema.ts';
import { locateCatalog, servedCatalog } from '../rule-sets/served-catalog.ts';
import { writeRuleSets } from '../rule-sets/write-rule-sets.ts';
import { locateOrganization } from '../underwriting/organization-catalogs.ts';
import { homeWords, type LineWords, wordsOfLine } from '../underwriting/served-line.ts';
import type { LinePorts, UnderwritingPorts } from './underwriting.ts';

const tag = 'rules';
const access = { scopes: ['rules'] };

/** `/v1/rule-sets/…`: what verdicts come from, for whoever judges with the engine itself. */
export function ruleSetRoutes(ports: UnderwritingPorts, lines: readonly LinePorts[] = []): RouteGroup {
  return {
    name: tag,
    description: 'The rules that verdicts come from, as files.',
    operations: [
      ...operationsOf(homeWords, ports),
      ...lines.flatMap(({ line, ...each }) => operationsOf(wordsOfLine(line), each)),
    ],
  };
}

function operationsOf({ segment, name, noun }: LineWords, ports: UnderwritingPorts): Operation[] {
  const { organizations, clock = () => new Date() } = ports;
  const catalog = servedCatalog(ports.catalog);
  const shared = {
    method: 'post',
    tag,
    access,
    requestBody: createContentText('ReadRuleSetsRequest', readRuleSetsRequest, 'input', { optional: true }),
    answers: {
      200: {
        description: 'The rule sets, and whom may be asked where.',
        content: createContentText('RuleSetsInForce', ruleSetsInForceSchema, 'output'),
      },
    },
  } as const;
  const answer = async (context: GuardedContext<Decider>, organizationId: string | null) => {
    const { found: decider, json, turn } = context;
    checkBody(readRuleSetsRequest, json ?? {});
    await context.countItems(decider.carriers.reduce((sum, { versions }) => sum + versions.length, 0));
    return { status: 200, body: await writeRuleSets(decider, { organizationId, now: clock(), turn }) };
  };
  return [
    guarded<Decider>({
      ...shared,
      path: `/v1/rule-sets/${segment}`,
      operationId: `read${name}RuleSets`,
      summary: `Read the rule sets of all carriers for ${noun}s`,
      locate: () => locateCatalog(catalog),
      handle: (context) => answer(context, null),
    }),
    guarded<Decider>({
      ...shared,
      path: `/v1/rule-sets/${segment}/{organization_id}`,
      operationId: `read${name}RuleSetsOfOrganization`,
      summary: `Read the rule sets of an organization’s carriers for ${noun}s`,
      parameters: {
        organization_id: { description: 'As the administration gave it.', example: 'org_01jd4v3x9m8k7h2q5t6w0y1z2a' },
      },
      locate: ({ params, caller }) => locateOrganization(params['organization_id'] ?? '', caller, organizations),
      handle: (context) => answer(context, context.params['organization_id'] ?? null),
    }),
  ];
}
