import { httpCarrierJsonSchema, ratingPlanJsonSchema } from '@leeward/quotes';
import { type ReferenceSection, referencePage } from '../docs-page/reference-page.ts';
import type { Operation, RouteGroup } from '../operation/operation.ts';
import type { RequestContext } from '../operation/request-context.ts';
import { notFound, type ProblemCode, problemKinds } from '../problem/problem.ts';
import { problemHelp } from '../problem/problem-help.ts';
import { servedCatalog } from '../rule-sets/served-catalog.ts';
import { homeWords, wordsOfLine } from '../underwriting/served-line.ts';
import { writeLines } from '../underwriting/write-lines.ts';
import type { LinePorts, UnderwritingPorts } from './underwriting.ts';

const codes = Object.keys(problemKinds) as readonly ProblemCode[];
const isCode = (text: string): text is ProblemCode => (codes as readonly string[]).includes(text);

/** What the reference tells of what is served. */
export interface ReferencePorts {
  /** Left out, nothing is underwritten here. */
  readonly underwriting?: UnderwritingPorts | undefined;
  readonly lines?: readonly LinePorts[];
}

/**
 * What answers and files refer to, served beside them and of the version that runs: the meaning of each problem, the JSON
 * Schemas of rule files and rating plans, and what forms ask in each line of business. Pages, not operations of the contract, so
 * the document leaves them out.
 */
export function referenceRoutes(basePath: string, { underwriting, lines = [] }: ReferencePorts = {}): RouteGroup {
  const shared = { method: 'get', tag: 'reference', access: 'anyone', answers: {} } as const;
  let schema: Promise<string> | undefined;
  const page = (title: string, sections: readonly ReferenceSection[]) => {
    const { html, contentSecurityPolicy } = referencePage(title, sections, `${basePath}/docs`);
    const headers = { 'content-security-policy': contentSecurityPolicy };
    return { status: 200, text: html, contentType: 'text/html; charset=utf-8', headers };
  };
  const operations: Operation[] = [
    {
      ...shared,
      path: '/problems',
      operationId: 'problems',
      summary: 'What each problem means',
      handle: () => page('Problems', codes.map(sectionOf)),
    },
    {
      ...shared,
      path: '/problems/{code}',
      operationId: 'problem',
      summary: 'What one problem means',
      handle({ params }: RequestContext) {
        const code = params['code'] ?? '';
        if (!isCode(code)) throw notFound();
        return page(problemKinds[code].title, [sectionOf(code)]);
      },
    },
    {
      ...shared,
      path: '/schemas/rule-set-1.json',
      operationId: 'ruleSetSchema',
      summary: 'JSON Schema of rule files',
      // Whoever only judges homes never loads what authors need.
      async handle() {
        schema ??= import('@leeward/engine/authoring').then(({ ruleSetJsonSchema }) =>
          JSON.stringify(ruleSetJsonSchema()),
        );
        return { status: 200, text: await schema, contentType: 'application/schema+json' };
      },
    },
    {
      ...shared,
      path: '/schemas/rating-plan-1.json',
      operationId: 'ratingPlanSchema',
      summary: 'JSON Schema of rating plans',
      handle: () => ({
        status: 200,
        text: JSON.stringify(ratingPlanJsonSchema()),
        contentType: 'application/schema+json',
      }),
    },
    {
      ...shared,
      path: '/schemas/http-carrier-1.json',
      operationId: 'httpCarrierSchema',
      summary: 'JSON Schema of carriers over HTTP',
      handle: () => ({
        status: 200,
        text: JSON.stringify(httpCarrierJsonSchema()),
        contentType: 'application/schema+json',
      }),
    },
    {
      ...shared,
      path: '/lines.json',
      operationId: 'lines',
      summary: 'What forms ask in each line of business that is underwritten here',
      handle() {
        const now = underwriting?.clock?.() ?? new Date();
        const described = underwriting
          ? [
              { words: homeWords, vocabulary: servedCatalog(underwriting.catalog).latest.vocabulary },
              ...lines.map(({ line }) => ({ words: wordsOfLine(line), vocabulary: line.vocabulary })),
            ]
          : [];
        return { status: 200, body: writeLines(described, now.getUTCFullYear()) };
      },
    },
  ];
  return { name: 'reference', description: 'What answers and files refer to.', operations };
}

function sectionOf(code: ProblemCode): ReferenceSection {
  const { status, title } = problemKinds[code];
  const { means, wayOut } = problemHelp[code];
  return { id: code, title: `${status} ${title}`, paragraphs: [`\`${code}\``, means, wayOut] };
}
