import type { CarrierAnswer } from '@leeward/quotes';
import { isObject, type JsonObject, pointer } from '@leeward/terms';
import { requestsOf } from './check-steps.ts';
import type { HttpCarrierFile } from './schema.ts';
import { fillTemplate } from './template.ts';

/** Missing, or not in its table. */
export interface MissingValue {
  /** `fields.year_built`. */
  readonly name: string;
  /** JSON Pointer in the sent document. */
  readonly path: string;
}

/** In place of the call. */
export function answerMissing(missing: readonly MissingValue[]): CarrierAnswer {
  const messages = missing.map(({ name, path }) => {
    const field = name.replace(/^fields\./, '');
    const message = `The carrier requires ${field} (${path} of its document) and has no code for this value. Provide it, or use another value.`;
    return { level: 'error', code: 'missing_field', message, field } as const;
  });
  return { outcome: 'needs_information', messages };
}

export function missingValues(template: unknown, values: JsonObject, path = ''): MissingValue[] {
  if (Array.isArray(template))
    return template.flatMap((item, index) => missingValues(item, values, `${path}/${index}`));
  if (!isObject(template)) return [];
  if (!Object.hasOwn(template, '$value')) {
    return Object.entries(template).flatMap(([key, value]) => missingValues(value, values, path + pointer(key)));
  }
  const { $value: name, required } = template;
  return required === true && (fillTemplate(template, values) ?? null) === null ? [{ name: String(name), path }] : [];
}

/** Keys of `fields` that the requests use: the answer depends on no other. */
export function fieldsNamed(file: HttpCarrierFile): string[] {
  const text = JSON.stringify([requestsOf(file).map(({ request }) => request), file.dialect?.request]);
  return [...new Set([...text.matchAll(/\bfields\.([\w-]+)/g)].map(([, key]) => key!))].sort();
}
