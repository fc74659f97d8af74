import { computed, effect, signal } from '@preact/signals';
import { homeForm } from '../home/home-state.ts';
import { splitEvidence } from '../home/line-form.ts';
import { ask, type Failure } from '../service/ask.ts';
import { session, visit } from '../service/session.ts';
import type { WireProducts } from '../service/wire.ts';

export interface QuoteField {
  readonly name: string;
  readonly description: string;
  readonly words: readonly string[] | undefined;
  readonly isDate: boolean;
  readonly example: string | undefined;
}

/** `refused` if the token may not quote. */
export type QuoteReference =
  | { readonly state: 'idle' | 'loading' }
  | { readonly state: 'ready'; readonly fields: readonly QuoteField[]; readonly products: WireProducts['products'] }
  | { readonly state: 'refused' | 'error'; readonly failure: Failure };

export const reference = signal<QuoteReference>({ state: 'idle' });
/** Values by field. They outlive the view, in memory only. */
export const typedFields = signal<Readonly<Record<string, string>>>({});
export const product = signal('homeowners');
/** Undefined: the user who signed in. */
export const producer = signal<string | undefined>(undefined);

interface Described {
  readonly required?: readonly string[];
  readonly properties?: Readonly<
    Record<
      string,
      {
        readonly type?: unknown;
        readonly description?: string;
        readonly enum?: readonly string[];
        readonly format?: string;
        readonly examples?: readonly unknown[];
      }
    >
  >;
}

export async function loadReference(): Promise<void> {
  reference.value = { state: 'loading' };
  const [fields, products] = await Promise.all([
    ask<Described>('/api/v1/quote/fields', {}, { as: 'team' }),
    ask<WireProducts>('/api/v1/quote/products', {}, { as: 'team' }),
  ]);
  for (const answer of [fields, products]) {
    if (answer.ok) continue;
    const { failure } = answer;
    reference.value = { state: failure.status === 403 ? 'refused' : 'error', failure };
    return;
  }
  if (!fields.ok || !products.ok) return;
  const inputs = Object.entries(fields.data.properties ?? {}).filter(([, { type }]) => type !== 'object');
  const listed = inputs.map(
    ([name, each]): QuoteField => ({
      name,
      description: each.description ?? '',
      words: each.enum,
      isDate: each.format === 'date',
      example: each.examples?.[0] === undefined ? undefined : String(each.examples[0]),
    }),
  );
  reference.value = { state: 'ready', fields: listed, products: products.data.products };
}

/** Values of the home that a quote uses too. */
export const fromHome = computed<Readonly<Record<string, unknown>>>(() => {
  const { policy_type: _, address: _a, lat: _b, lng: _c, effective_date, roof_age, ...rest } = homeForm.values.value;
  const roofYear = typeof roof_age === 'number' ? { roof_year: new Date().getUTCFullYear() - roof_age } : {};
  const evidence = evidenceOfHome();
  return {
    ...rest,
    ...roofYear,
    ...(effective_date === undefined ? {} : { effective_date }),
    ...(Object.keys(evidence).length === 0 ? {} : { evidence }),
  };
});

/** Quotes have the evidence of all values in one field. */
function evidenceOfHome(): Readonly<Record<string, object>> {
  const evidence: Record<string, Record<string, string>> = {};
  for (const [name, text] of Object.entries(homeForm.typed.value)) {
    const { field, part } = splitEvidence(name) ?? {};
    if (field === undefined || part === undefined) continue;
    const quoted = field === 'roof_age' ? 'roof_year' : field;
    evidence[quoted] = { ...evidence[quoted], [part]: text };
  }
  return evidence;
}

export const valueIn = (name: string): string => typedFields.value[name] ?? String(fromHome.value[name] ?? '');

/** Includes values of the home that are not fields of a quote: carriers receive them unchanged. */
export function quoteRequest(fields: readonly QuoteField[]): Readonly<Record<string, unknown>> {
  const formValues = Object.fromEntries(
    fields.flatMap(({ name }) => (valueIn(name) === '' ? [] : [[name, valueIn(name)]])),
  );
  const names = new Set(fields.map(({ name }) => name));
  const besides = Object.fromEntries(Object.entries(fromHome.value).filter(([name]) => !names.has(name)));
  return {
    product_code: product.value,
    assigned_producer_email: producer.value ?? session.value?.producer ?? '',
    fields: { ...besides, ...formValues },
  };
}

export function fillExamples(fields: readonly QuoteField[]): void {
  const soon = new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10);
  typedFields.value = Object.fromEntries(
    fields.map(({ name, words, example }) => [
      name,
      valueIn(name) || (name === 'effective_date' ? soon : (example ?? words?.[0] ?? '')),
    ]),
  );
}

// The next user must not see personal data.
effect(() => {
  void visit.value;
  reference.value = { state: 'idle' };
  typedFields.value = {};
  producer.value = undefined;
});
