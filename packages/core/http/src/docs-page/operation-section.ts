import {
  type Contents,
  isReference,
  type Model,
  nameOf,
  type OperationModel,
  type ParameterModel,
  type ResponseModel,
  type Schema,
} from './document-model.ts';
import { type Html, html } from './html.ts';
import { inline, prose } from './prose.ts';
import { curlLines, exampleBlocks } from './request-example.ts';
import { type Direction, schemaFields } from './schema-fields.ts';
import { schemaAnchor, typeWords } from './schema-words.ts';

export function responseAnchor(name: string): string {
  return `problem-${name}`;
}

/** With examples in a second column. */
export function operationSection(model: Model, method: string, path: string, operation: OperationModel): Html {
  const { operationId, summary, description, requestBody, security } = operation;
  const body = jsonOf(requestBody?.content);
  const [first, ...others] = Object.entries(body?.examples ?? {});
  const curl = curlLines(method, filled(path, operation), security.length > 0, body && (first?.[1].value ?? {}));
  return html`<section class="operation" id="${operationId}" aria-labelledby="${operationId}-title">
<div class="told">
<h3 id="${operationId}-title"><a href="#${operationId}">${summary}</a></h3>
<p class="route"><b class="method">${method.toUpperCase()}</b> <code>${path}</code></p>
${prose(description)}
${securityWords(operation)}
${parametersTable(model, operation)}
${requestBody && body && html`<h4>Request${!requestBody.required && html` <span class="type">optional</span>`}</h4>${schemaBlock(model, body.schema, 'request')}`}
${answers(model, operation)}
${tryButton(method, path, operation, body && (first?.[1].value ?? {}))}
</div>
<div class="shown">
<div>${first?.[1].summary !== undefined && html`<p class="caption">Request: ${inline(first[1].summary)}</p>`}<pre tabindex="0"><code>${curl}</code></pre></div>
${exampleBlocks('Request', Object.fromEntries(others), false)}${answerExamples(operation)}
</div>
</section>
`;
}

/** A button for the script of the page, which sends requests to the service. Streams are left out. */
function tryButton(method: string, path: string, { parameters, security, responses }: OperationModel, body: unknown) {
  const isStream = Object.values(responses).some(
    (response) => !isReference(response) && response.content?.['text/event-stream'] !== undefined,
  );
  if (isStream) return undefined;
  const examples = parameters.flatMap((parameter) =>
    isReference(parameter) || parameter.in !== 'path' || parameter.example === undefined
      ? []
      : [html` data-param_${parameter.name}="${String(parameter.example)}"`],
  );
  return html`<p><button type="button" class="try" hidden data-method="${method}" data-path="${path}"${
    security.length > 0 && html` data-guarded="true"`
  }${body !== undefined && html` data-body="${JSON.stringify(body, null, 2)}"`}${examples}>Try it</button></p>`;
}

/** Fields behind a line, so that a page of many operations can be surveyed. */
export function folded(fields: Html | undefined): Html | undefined {
  return fields && html`<details><summary>Fields</summary>${fields}</details>`;
}

function jsonOf(contents: Contents | undefined) {
  return contents?.['application/json'];
}

function filled(path: string, { parameters }: OperationModel): string {
  return parameters.reduce((text, parameter) => {
    if (isReference(parameter) || parameter.in !== 'path') return text;
    return parameter.example === undefined ? text : text.replace(`{${parameter.name}}`, String(parameter.example));
  }, path);
}

function securityWords({ security }: OperationModel): Html {
  if (security.length === 0) return html`<p class="access">No token needed.</p>`;
  const scopes = security.flatMap((way) => Object.values(way).flat()).map((scope) => html`<code>${scope}</code>`);
  const words = scopes.map((scope, index) => html`${index > 0 && ' or '}${scope}`);
  const open = security.some((way) => Object.keys(way).length === 0);
  if (scopes.length === 0) return html`<p class="access">For any valid token.</p>`;
  return html`<p class="access">For a token with the scope ${words}${open && html`, or from the machine itself`}.</p>`;
}

function schemaBlock({ components }: Model, schema: Schema, direction: Direction): Html {
  if (!isReference(schema)) return html`${prose(schema.description)}${folded(schemaFields(schema, direction))}`;
  const name = nameOf(schema);
  const schemaOfName = components.schemas[name] ?? {};
  return html`<p class="named"><a href="#${schemaAnchor(name)}">${name}</a></p>${prose(schemaOfName.description)}${folded(schemaFields(schemaOfName, direction))}`;
}

function parametersTable(model: Model, { parameters }: OperationModel): Html | undefined {
  const rows = parameters
    .map((each): ParameterModel | undefined => (isReference(each) ? model.components.parameters[nameOf(each)] : each))
    // Common parameters are described at the top.
    .filter((each) => each !== undefined && each.name !== 'X-Request-Id') as ParameterModel[];
  if (rows.length === 0) return undefined;
  return html`<h4>Parameters</h4><dl class="fields">${rows.map(
    ({ name, in: place, required, schema, description }) =>
      html`<dt><code class="name">${name}</code> <span class="type">${typeWords(schema)}, in the ${place}</span>${
        required && html` <span class="required">required</span>`
      }</dt><dd>${description && html`<p>${inline(description)}</p>`}</dd>`,
  )}</dl>`;
}

function answers(model: Model, { responses }: OperationModel): Html {
  const problems: Html[] = [];
  const good: Html[] = [];
  for (const [status, response] of Object.entries(responses)) {
    if (isReference(response)) {
      const name = nameOf(response);
      problems.push(
        html`<li><a href="#${responseAnchor(name)}">${status} ${codesOf(model.components.responses[name])}</a></li> `,
      );
    } else
      good.push(
        html`<h4>Answer ${status}</h4><p>${inline(response.description)}</p>${contentBlocks(model, response.content)}`,
      );
  }
  return html`${good}<details><summary>Problems</summary><ul class="problems">${problems}</ul></details>`;
}

function contentBlocks(model: Model, contents: Contents = {}): Html {
  return html`${Object.entries(contents).map(([type, { schema }]) =>
    type === 'application/json' ? schemaBlock(model, schema, 'answer') : html`<p><code>${type}</code></p>`,
  )}`;
}

/** Taken from its examples. */
export function codesOf(response: ResponseModel | undefined): string {
  return Object.values(response?.content ?? {})
    .flatMap(({ examples }) => Object.keys(examples ?? {}))
    .join(' or ');
}

function answerExamples({ responses }: OperationModel): Html {
  return html`${Object.entries(responses).map(([status, response]) =>
    isReference(response)
      ? undefined
      : Object.values(response.content ?? {}).map(({ examples }) => exampleBlocks(`Answer ${status}`, examples, false)),
  )}`;
}
