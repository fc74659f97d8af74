import { ratingPlanJsonSchema } from '@leeward/quotes';
import { type ReferenceSection, referencePage } from '../docs-page/reference-page.ts';
import type { Operation, RouteGroup } from '../operation/operation.ts';
import type { RequestContext } from '../operation/request-context.ts';
import { notFound, type ProblemCode, problemKinds } from '../problem/problem.ts';
import { problemHelp } from '../problem/problem-help.ts';

const codes = Object.keys(problemKinds) as readonly ProblemCode[];
const isCode = (text: string): text is ProblemCode => (codes as readonly string[]).includes(text);

/**
 * What answers and files refer to, served beside them and of the version that runs: the meaning of each problem, and the JSON
 * Schemas of rule files and rating plans. Pages, not operations of the contract, so the document leaves them out.
 */
export function referenceRoutes(basePath: string): RouteGroup {
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
  ];
  return { name: 'reference', description: 'What answers and files refer to.', operations };
}

function sectionOf(code: ProblemCode): ReferenceSection {
  const { status, title } = problemKinds[code];
  const { means, wayOut } = problemHelp[code];
  return { id: code, title: `${status} ${title}`, paragraphs: [`\`${code}\``, means, wayOut] };
}
