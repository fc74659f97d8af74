import { ruleSetJsonSchema } from '@leeward/engine';
import { fieldFileJsonSchema } from '@leeward/engine/vocabulary';
import type { Answer } from '../answer/answer.ts';
import { answerStatic, createStaticContent, type StaticContent } from '../answer/static-content.ts';
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

/** The parts of the service that the reference describes. */
export interface ReferencePorts {
  /** If omitted, `/lines.json` is empty. */
  readonly underwriting?: UnderwritingPorts | undefined;
  readonly lines?: readonly LinePorts[];
  /** By file name. */
  readonly schemas?: Readonly<Record<string, () => object>> | undefined;
}

/**
 * Pages and files that answers refer to: the meaning of each problem, the JSON Schemas of files, and the form fields of each line of
 * business. They are not operations, so the document omits them.
 */
export function referenceRoutes(
  basePath: string,
  { underwriting, lines = [], schemas = {} }: ReferencePorts = {},
): RouteGroup {
  const shared = { method: 'get', tag: 'reference', access: 'anyone', answers: {} } as const;
  const page = (title: string, sections: readonly ReferenceSection[]) => () => {
    const { html, contentSecurityPolicy } = referencePage(title, sections, `${basePath}/docs`);
    const headers = { 'content-security-policy': contentSecurityPolicy };
    return { text: html, contentType: 'text/html; charset=utf-8', headers };
  };
  const schema = (make: () => object) => () => ({
    text: JSON.stringify(make()),
    contentType: 'application/schema+json',
  });
  const written = createWritten();
  const operations: Operation[] = [
    {
      ...shared,
      path: '/problems',
      operationId: 'problems',
      summary: 'List problem types',
      handle: (context: RequestContext) => written(context, 'problems', page('Problems', codes.map(sectionOf))),
    },
    {
      ...shared,
      path: '/problems/{code}',
      operationId: 'problem',
      summary: 'Read a problem type',
      handle(context: RequestContext) {
        const code = context.params['code'] ?? '';
        if (!isCode(code)) throw notFound();
        return written(context, `problems/${code}`, page(problemKinds[code].title, [sectionOf(code)]));
      },
    },
    {
      ...shared,
      path: '/schemas/rule-set-1.json',
      operationId: 'ruleSetSchema',
      summary: 'Read the JSON Schema of rule sets',
      handle: (context: RequestContext) =>
        written(
          context,
          'rule-set',
          schema(() => ruleSetJsonSchema(underwriting && servedCatalog(underwriting.catalog).latest.vocabulary)),
        ),
    },
    {
      ...shared,
      path: '/schemas/fields-1.json',
      operationId: 'fieldFileSchema',
      summary: 'Read the JSON Schema of field files',
      handle: (context: RequestContext) => written(context, 'fields', schema(fieldFileJsonSchema)),
    },
    ...Object.entries(schemas).map(
      ([name, make]): Operation => ({
        ...shared,
        path: `/schemas/${name}`,
        operationId: `schema ${name}`,
        summary: `JSON Schema ${name}`,
        handle: (context: RequestContext) => written(context, `schemas/${name}`, schema(make)),
      }),
    ),
    {
      ...shared,
      path: '/lines.json',
      operationId: 'lines',
      summary: 'List the form fields of each line of business',
      handle(context: RequestContext) {
        const year = (underwriting?.clock?.() ?? new Date()).getUTCFullYear();
        const catalogs = [underwriting?.catalog, ...lines.map(({ catalog }) => catalog)].flatMap((catalog) =>
          catalog === undefined ? [] : [servedCatalog(catalog).latest],
        );
        const testedFields = catalogs.map((catalog) => catalog.testedFields());
        return written(context, `lines ${year} ${testedFields.join(' ')}`, () => {
          const described = underwriting
            ? [
                { words: homeWords, vocabulary: catalogs[0]!.vocabulary, testedFields: testedFields[0]! },
                ...lines.map(({ line }, index) => ({
                  words: wordsOfLine(line),
                  vocabulary: line.vocabulary,
                  testedFields: testedFields[index + 1]!,
                })),
              ]
            : [];
          return { text: JSON.stringify(writeLines(described, year)), contentType: 'application/json' };
        });
      },
    },
  ];
  return { name: 'reference', description: 'Pages that answers and files refer to.', operations };
}

interface Written {
  readonly text: string;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers with content that is made on first use and cached by name. */
function createWritten() {
  const cache = new Map<string, Promise<{ readonly content: StaticContent; readonly headers: Written['headers'] }>>();
  return async (context: RequestContext, name: string, make: () => Written | Promise<Written>): Promise<Answer> => {
    let pending = cache.get(name);
    if (pending === undefined) {
      pending = (async () => {
        const { text, contentType, headers } = await make();
        return { content: await createStaticContent(text, contentType), headers };
      })();
      cache.set(name, pending);
      pending.catch(() => cache.delete(name));
    }
    const { content, headers } = await pending;
    return answerStatic(content, context, headers);
  };
}

function sectionOf(code: ProblemCode): ReferenceSection {
  const { status, title } = problemKinds[code];
  const { means, wayOut } = problemHelp[code];
  return { id: code, title: `${status} ${title}`, paragraphs: [`\`${code}\``, means, wayOut] };
}
