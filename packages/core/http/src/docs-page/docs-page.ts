import { hash } from 'node:crypto';
import { createTurn, nextTurn, type Turn } from '@leeward/engine/compiled';
import { isReference, type Model, nameOf, type OperationModel, type ResponseModel } from './document-model.ts';
import { type Html, html, Html as Written } from './html.ts';
import { codesOf, folded, operationSection, responseAnchor } from './operation-section.ts';
import { pageScript } from './page-script.ts';
import { inline, prose } from './prose.ts';
import { exampleBlocks } from './request-example.ts';
import { schemaFields } from './schema-fields.ts';
import { schemaAnchor, typeWords } from './schema-words.ts';
import { styleSheet } from './style-sheet.ts';

/** A page and its `Content-Security-Policy`. */
export interface DocsPage {
  readonly html: string;
  /** Allows only the style and the script, by their hashes, the icon, and requests to the service. */
  readonly contentSecurityPolicy: string;
}

interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationModel;
}

const icon =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Cpath fill=%22%230b6e78%22 d=%22M1 13 8 2v11zm8 0V5l6 8z%22/%3E%3C/svg%3E';

/**
 * One file of HTML with its style and script that loads nothing. `docs/decisions.md` compares it with a prebuilt page.
 *
 * @param turn yields between operations and between schemas
 */
export async function docsPage(document: object, turn: Turn = createTurn()): Promise<DocsPage> {
  const model = document as Model;
  const groups = await writeInSteps(turn, model.tags, (tag) => group(model, tag, turn));
  const schemaSection = await schemas(model, turn);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${model.info.title} ${model.info.version}</title>
<link rel="icon" href="${new Written(icon)}">
<style>${new Written(styleSheet)}</style>
</head>
<body>
<a class="skip" href="#top">To the contents</a>
<nav aria-label="Contents">
<p class="title"><a href="#top">${model.info.title}</a> <span class="type">${model.info.version}</span></p>
<p class="search" hidden><input type="search" id="search" aria-label="Search operations and schemas" placeholder="Search, /" autocomplete="off" spellcheck="false"></p>
${navigation(model)}
</nav>
<main id="top">
<header>
<h1>${model.info.title}</h1>
${prose(model.info.description)}
<p>In the examples <code>$LEEWARD</code> is where this service is mounted${basePath(model)}, and <code>$TOKEN</code> a token. For programs: <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
</header>
${groups}
${problems(model)}
${schemaSection}
</main>
<script>${new Written(pageScript)}</script>
</body>
</html>
`;
  const [style, script] = [styleSheet, pageScript].map((text) => hash('sha256', text, 'base64'));
  return {
    html: page.text,
    contentSecurityPolicy: `default-src 'none'; style-src 'sha256-${style}'; script-src 'sha256-${script}'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}

function basePath({ servers }: Model): string {
  const url = servers[0]?.url ?? '/';
  return url === '/' ? '' : `, with ${url} at its end`;
}

function entriesOf({ paths }: Model, tag: string): Entry[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .map(([method, operation]) => ({ method, path, operation }))
      .filter(({ operation }) => operation.tags.includes(tag)),
  );
}

function navigation(model: Model): Html {
  const list = (name: string, links: readonly Html[], open = false) =>
    html`<details${open && html` open`}><summary>${capital(name)}</summary><ul>${links}</ul></details>
`;
  const operations = ({ name }: Model['tags'][number]) =>
    list(
      name,
      entriesOf(model, name).map(
        ({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`,
      ),
      name !== 'administration',
    );
  const names = Object.keys(model.components.schemas).sort();
  return html`${model.tags.map(operations)}${list('problems', [html`<li><a href="#problems">All problems</a></li>`])}${list(
    'schemas',
    names.map((name) => html`<li><a href="#${schemaAnchor(name)}">${name}</a></li>`),
  )}`;
}

async function writeInSteps<Item>(
  turn: Turn,
  items: readonly Item[],
  write: (item: Item) => Html | Promise<Html>,
): Promise<Html[]> {
  const written: Html[] = [];
  for (const item of items) {
    await nextTurn(turn);
    written.push(await write(item));
  }
  return written;
}

async function group(model: Model, { name, description }: Model['tags'][number], turn: Turn): Promise<Html> {
  const sections = await writeInSteps(turn, entriesOf(model, name), ({ method, path, operation }) =>
    operationSection(model, method, path, operation),
  );
  return html`<section class="group" id="group-${name}" aria-labelledby="group-${name}-title">
<h2 id="group-${name}-title">${capital(name)}</h2>
${prose(description)}
${sections}
</section>
`;
}

function problems({ components }: Model): Html {
  const responses = Object.entries(components.responses).sort(([, a], [, b]) => statusOf(a) - statusOf(b));
  return html`<section class="group" id="problems" aria-labelledby="problems-title">
<h2 id="problems-title">Problems</h2>
<p>Problem details (RFC 9457), each as <a href="#${schemaAnchor('Problem')}">Problem</a>.</p>
${responses.map(
  ([name, response]) => html`<section class="operation" id="${responseAnchor(name)}">
<div class="told"><h3>${statusOf(response)} ${codesOf(response)}</h3><p>${inline(response.description)}</p>${headers(response)}</div>
<div class="shown">${Object.values(response.content ?? {}).map(({ examples }) => exampleBlocks('Answer', examples))}</div>
</section>
`,
)}
</section>
`;
}

function headers({ headers = {} }: ResponseModel): Html {
  const names = Object.keys(headers);
  return html`<p class="access">With ${names.map((name, index) => html`${index > 0 && ', '}<code>${name}</code>`)}.</p>`;
}

function statusOf({ content = {} }: ResponseModel): number {
  const [first] = Object.values(content).flatMap(({ examples }) => Object.values(examples ?? {}));
  return (first?.value as { status?: number } | undefined)?.status ?? 0;
}

async function schemas(model: Model, turn: Turn): Promise<Html> {
  const { components } = model;
  const inRequests = requestSchemas(model);
  const sorted = Object.entries(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1));
  const sections = await writeInSteps(
    turn,
    sorted,
    ([name, schema]) => html`<section class="schema" id="${schemaAnchor(name)}">
<h3><a href="#${schemaAnchor(name)}">${name}</a> ${schema.properties === undefined && html`<span class="type">${typeWords(schema)}</span>`}</h3>
${prose(schema.description)}${folded(schemaFields(schema, inRequests.has(name) ? 'request' : 'answer'))}
</section>
`,
  );
  return html`<section class="group" id="schemas" aria-labelledby="schemas-title">
<h2 id="schemas-title">Schemas</h2>
${sections}
</section>
`;
}

/** Schemas used in requests. */
function requestSchemas({ paths, components }: Model): ReadonlySet<string> {
  const names = new Set<string>();
  const follow = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const each of Object.values(value)) follow(each);
    if (!isReference(value) || names.has(nameOf(value))) return;
    names.add(nameOf(value));
    follow(components.schemas[nameOf(value)]);
  };
  for (const methods of Object.values(paths))
    for (const { requestBody } of Object.values(methods))
      for (const { schema } of Object.values(requestBody?.content ?? {})) follow(schema);
  return names;
}

function capital(word: string): string {
  return `${word[0]?.toUpperCase()}${word.slice(1)}`;
}
