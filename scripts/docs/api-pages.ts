import type { Model, OperationModel } from '../../packages/core/http/src/docs-page/document-model.ts';
import { escaped, type Html, html } from '../../packages/core/http/src/docs-page/html.ts';
import { codesOf, operationSection, responseAnchor } from '../../packages/core/http/src/docs-page/operation-section.ts';
import { inline, prose } from '../../packages/core/http/src/docs-page/prose.ts';
import { exampleBlocks } from '../../packages/core/http/src/docs-page/request-example.ts';
import { schemaFields } from '../../packages/core/http/src/docs-page/schema-fields.ts';
import { schemaAnchor, typeWords } from '../../packages/core/http/src/docs-page/schema-words.ts';

export interface WrittenPage {
  readonly at: string;
  readonly title: string;
  readonly markdown: string;
}

/** The OpenAPI document as pages: one a group of operations, one of schemas, one of problem answers. */
export function apiPages(document: object): WrittenPage[] {
  const model = document as Model;
  const groups = model.tags.map(({ name, description }) => groupPage(model, name, description));
  return [overview(model), ...groups, problemAnswers(model), schemas(model)];
}

function overview(model: Model): WrittenPage {
  const rows = model.tags.flatMap(({ name }) =>
    operationsOf(model, name).map(
      ({ method, path, operation }) =>
        `| [${operation.summary}](./${name}.md#${operation.operationId}) | \`${method.toUpperCase()} ${path}\` |`,
    ),
  );
  const markdown = `# HTTP API

${model.info.description}

The document itself is served at \`/openapi.json\` by every service, and for people at \`/docs\`.

| operation | |
|---|---|
${rows.join('\n')}
`;
  return { at: 'api/index', title: 'Overview', markdown };
}

function operationsOf({ paths }: Model, tag: string) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .map(([method, operation]) => ({ method, path, operation }))
      .filter(({ operation }) => operation.tags.includes(tag)),
  );
}

function groupPage(model: Model, name: string, description: string): WrittenPage {
  const title = capital(name);
  const sections = operationsOf(model, name).map(({ method, path, operation }) =>
    [heading(operation), block(operationSection(model, method, path, operation), withoutHead)].join('\n\n'),
  );
  return { at: `api/${name}`, title, markdown: `# ${title}\n\n${description}\n\n${sections.join('\n\n')}\n` };
}

function heading({ summary, operationId }: OperationModel): string {
  return `## ${summary} {#${operationId}}`;
}

function problemAnswers({ components }: Model): WrittenPage {
  const sections = Object.entries(components.responses).map(([name, response]) => {
    const shown = Object.values(response.content ?? {}).map(({ examples }) => exampleBlocks('Answer', examples));
    const told = html`<p>${inline(response.description)}</p>${shown}`;
    return `## ${codesOf(response)} {#${responseAnchor(name)}}\n\n${block(told)}`;
  });
  const intro =
    'Answers that are problems, as operations name them. What each code means: [problems](../reference/problems.md).';
  return {
    at: 'api/problem-answers',
    title: 'Problem answers',
    markdown: `# Problem answers\n\n${intro}\n\n${sections.join('\n\n')}\n`,
  };
}

function schemas({ components }: Model): WrittenPage {
  const sections = Object.entries(components.schemas)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => {
      const kind = schema.properties === undefined ? html`<p class="type">${typeWords(schema)}</p>` : '';
      return `## ${name} {#${schemaAnchor(name)}}\n\n${block(html`${kind}${prose(schema.description)}${schemaFields(schema, 'answer')}`)}`;
    });
  return { at: 'api/schemas', title: 'Schemas', markdown: `# Schemas\n\n${sections.join('\n\n')}\n` };
}

/** HTML inside Markdown: nothing in it is Markdown or a template, and its links lead to the pages that it is cut into. */
function block(content: Html, change: (text: string) => string = (text) => text): string {
  const text = change(content.text)
    .replaceAll(/href="#(schema-[^"]+)"/g, 'href="./schemas.html#$1"')
    .replaceAll(/href="#(problem-[^"]+)"/g, 'href="./problem-answers.html#$1"')
    // An empty line would end the block of HTML.
    .replaceAll(/\n{2,}/g, '\n')
    .replaceAll(
      /<pre tabindex="0"><code>(.*?)<\/code><\/pre>/gs,
      (_, code: string) => `<pre tabindex="0"><code>${code.replaceAll('\n', '&#10;')}</code></pre>`,
    );
  return `<div v-pre class="api">\n${text.trim()}\n</div>`;
}

/** The page's heading has the title and the anchor. */
function withoutHead(text: string): string {
  return text
    .replace(/<section class="operation" id="[^"]*" aria-labelledby="[^"]*">/, '<section class="operation">')
    .replace(/<h3 id=.*?<\/h3>\n?/s, '');
}

function capital(text: string): string {
  return escaped(`${text[0]!.toUpperCase()}${text.slice(1)}`);
}
