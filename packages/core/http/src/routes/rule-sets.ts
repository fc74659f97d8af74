import type { Decider } from '@leeward/engine';
import { asExample, createContentText } from '../document/content-text.ts';
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

/** `/v1/rule-sets/…`: the rules that verdicts come from, for clients that run the engine themselves. */
export function ruleSetRoutes(ports: UnderwritingPorts, lines: readonly LinePorts[] = []): RouteGroup {
  return {
    name: tag,
    description: 'The rule files that verdicts come from.',
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
    description:
      'The rules that verdicts come from, for a page or a program that evaluates them itself. Only tokens made with the scope `rules` have it.',
    requestBody: createContentText('ReadRuleSetsRequest', readRuleSetsRequest, 'input', {
      optional: true,
      examples: asExample('Empty', {}),
    }),
    answers: {
      200: {
        description: 'The rule sets, and where each carrier is appointed.',
        content: createContentText('RuleSetsInForce', ruleSetsInForceSchema, 'output', { examples: answerExamples }),
      },
    },
  } as const;
  const answer = async (context: GuardedContext<Decider>, organizationId: string | null) => {
    const { resource: decider, json, turn } = context;
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
        organization_id: {
          description: 'The organization’s identifier.',
          example: 'org_01jd4v3x9m8k7h2q5t6w0y1z2a',
        },
      },
      locate: ({ params, caller }) => locateOrganization(params['organization_id'] ?? '', caller, organizations),
      handle: (context) => answer(context, context.params['organization_id'] ?? null),
    }),
  ];
}

const answerExamples = asExample('One carrier', {
  as_of: '2026-11-20T12:00:00.000Z',
  organization_id: null,
  carriers: [
    {
      carrier_key: 'pecan_grove',
      carrier: 'Pecan Grove Exchange',
      source: 'catalog',
      versions: [
        {
          version: '2026.1',
          sha256: '1546a9d7b15b5e217635d2442da7dffd6883946f7e46929c675a6ef38cde9902',
          rule_set: { format: 1, carrier: { key: 'pecan_grove', name: 'Pecan Grove Exchange' }, line: 'home' },
        },
      ],
      appointed_for: null,
    },
  ],
});
