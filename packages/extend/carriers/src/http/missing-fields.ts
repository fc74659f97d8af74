import type { CarrierAnswer } from '@leeward/quotes';
import { isObject, type JsonObject, pointer } from '@leeward/terms';
import { requestsOf } from './check-steps.ts';
import type { HttpCarrierFile } from './schema.ts';
import { fillTemplate } from './template.ts';

/** A value that a carrier wants and that is not there, or that it has no word for. */
export interface MissingValue {
  /** As templates name it: `fields.year_built`. */
  readonly name: string;
  /** Where in what is sent. */
  readonly path: string;
}

/** What an agent hears in place of a carrier that is not asked. */
export function answerMissing(missing: readonly MissingValue[]): CarrierAnswer {
  const messages = missing.map(({ name, path }) => {
    const field = name.replace(/^fields\./, '');
    const message = `The carrier wants ${field} (${path} of its document), and has no word for what was given; give it, or another value.`;
    return { level: 'error', code: 'missing_field', message, field } as const;
  });
  return { outcome: 'needs_information', messages };
}

/** Each `$value` that is `required` and that these values leave empty. */
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

/** The keys of `fields` that any request of the file names: of no other does an answer hang. */
export function fieldsNamed(file: HttpCarrierFile): string[] {
  const named = JSON.stringify([requestsOf(file).map(({ request }) => request), file.dialect?.request]);
  return [...new Set([...named.matchAll(/\bfields\.([\w-]+)/g)].map(([, key]) => key!))].sort();
}
