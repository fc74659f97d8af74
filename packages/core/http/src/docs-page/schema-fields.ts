import type { Schema } from './document-model.ts';
import { type Html, html } from './html.ts';
import { inline } from './prose.ts';
import { ownObject, typeWords, wordsOf } from './schema-words.ts';

export type Direction = 'request' | 'answer';

/** Unnamed objects can be unfolded. */
export function schemaFields(schema: Schema, direction: Direction): Html | undefined {
  const { properties = {}, required = [], dependentRequired = {} } = schema;
  const fields = Object.entries(properties);
  const others = otherFields(schema, direction);
  if (fields.length === 0 && others === undefined) return undefined;
  return html`<dl class="fields">${fields.map(([name, field]) =>
    fieldRow(name, field, presence(required.includes(name), direction), dependentRequired[name] ?? [], direction),
  )}${others}</dl>`;
}

function presence(required: boolean, direction: Direction): Html | undefined {
  if (direction === 'answer') return required ? undefined : html` <span class="type">not always</span>`;
  return required ? html` <span class="required">required</span>` : undefined;
}

function fieldRow(
  name: string,
  schema: Schema,
  present: Html | undefined,
  together: readonly string[],
  direction: Direction,
): Html {
  const words = wordsOf(schema);
  const inner = ownObject(schema);
  const innerFields = inner && schemaFields(inner, direction);
  const description = schema.description ?? (inner === schema ? undefined : inner?.description);
  return html`<dt><code class="name">${name}</code> <span class="type">${typeWords(schema)}</span>${present}</dt>
<dd>${description !== undefined && html`<p>${inline(description)}</p>`}${
    words.length > 0 &&
    html`<p class="words">${words.map((word) => html`<code>${typeof word === 'string' ? word : JSON.stringify(word)}</code> `)}</p>`
  }${
    together.length > 0 &&
    html`<p class="together">Together with ${together.map((each) => html`<code>${each}</code> `)}or not at all.</p>`
  }${innerFields && html`<details><summary>Fields</summary>${innerFields}</details>`}</dd>
`;
}

function otherFields({ additionalProperties, propertyNames }: Schema, direction: Direction): Html | undefined {
  const patterns = propertyNames?.anyOf?.filter(({ pattern }) => pattern !== undefined) ?? [];
  const rows = patterns.map(
    ({ pattern, description }) =>
      html`<dt><code class="name">${pattern === '^x_' ? 'x_…' : pattern}</code></dt><dd>${description && html`<p>${inline(description)}</p>`}</dd>`,
  );
  if (typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0) {
    const inner = ownObject(additionalProperties);
    const innerFields = inner && schemaFields(inner, direction);
    rows.push(
      html`<dt><span class="any">any other</span> <span class="type">${typeWords(additionalProperties)}</span></dt><dd>${innerFields && html`<details><summary>Fields</summary>${innerFields}</details>`}</dd>`,
    );
  } else if (additionalProperties === true || (typeof additionalProperties === 'object' && !rows.length))
    rows.push(html`<dt><span class="any">any other</span> <span class="type">anything</span></dt><dd></dd>`);
  return rows.length > 0 ? html`${rows}` : undefined;
}
