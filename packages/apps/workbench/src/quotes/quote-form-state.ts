import { readWrittenNumber } from '@leeward/terms/numbers';
import { writeWord } from '@leeward/terms/words';
import { computed, effect, signal } from '@preact/signals';
import { homeForm } from '../home/home-state.ts';
import { homeAnswers } from '../home/quote-answers.ts';
import { ask, type Failure } from '../service/ask.ts';
import { session, visit } from '../service/session.ts';
import type { WireProducts, WireQuoteCarriers } from '../service/wire.ts';

export interface QuoteField {
  readonly name: string;
  readonly description: string;
  readonly words: readonly string[] | undefined;
  readonly isDate: boolean;
  readonly isNumber: boolean;
  readonly example: string | undefined;
}

/** `refused` if the token may not quote. */
export type QuoteReference =
  | { readonly state: 'idle' | 'loading' }
  | {
      readonly state: 'ready';
      readonly fields: readonly QuoteField[];
      readonly products: WireProducts['products'];
      readonly carriers: WireQuoteCarriers['carriers'];
    }
  | { readonly state: 'refused' | 'error'; readonly failure: Failure };

export const reference = signal<QuoteReference>({ state: 'idle' });
/** Values by field. They outlive the view, in memory only. */
export const typedFields = signal<Readonly<Record<string, string>>>({});
/** Undefined: the user who signed in. */
export const producer = signal<string | undefined>(undefined);
/** Undefined: the product of the home's policy type. */
export const chosenProduct = signal<string | undefined>(undefined);
/** Undefined: the policy type of the home, or all of the product. */
export const chosenForms = signal<readonly string[] | undefined>(undefined);
/** Keys. Undefined: all. */
export const chosenCarriers = signal<readonly string[] | undefined>(undefined);

/** Number of carriers of the link that are not appointed to the team. */
export const notAppointed = signal(0);

const products = computed(() => (reference.value.state === 'ready' ? reference.value.products : []));
const carriers = computed(() => (reference.value.state === 'ready' ? reference.value.carriers : []));
const homeType = computed(() => homeForm.values.value['policy_type']);

export const product = computed(
  () =>
    chosenProduct.value ??
    products.value.find(({ form_types }) => (form_types as readonly unknown[]).includes(homeType.value))
      ?.product_code ??
    'homeowners',
);

/** Form types of the product. */
export const forms = computed<readonly string[]>(
  () => products.value.find(({ product_code }) => product_code === product.value)?.form_types ?? [],
);

export const selectedForms = computed<readonly string[]>(() => {
  const chosen = chosenForms.value?.filter((form) => forms.value.includes(form));
  if (chosen !== undefined) return chosen;
  const ofHome = forms.value.filter((form) => form === homeType.value);
  return ofHome.length > 0 ? ofHome : forms.value;
});

export const carrierName = (key: string): string =>
  carriers.value.find(({ carrier_key }) => carrier_key === key)?.carrier ?? writeWord(key);

/** Carriers that offer a selected form type. */
export const offeredCarriers = computed(() =>
  carriers.value.filter(({ products: own }) =>
    own.some(
      ({ product_code, form_types }) =>
        product_code === product.value && form_types.some((form) => selectedForms.value.includes(form)),
    ),
  ),
);

export const selectedCarriers = computed<readonly string[]>(() => {
  const keys = offeredCarriers.value.map(({ carrier_key }) => carrier_key);
  return chosenCarriers.value === undefined ? keys : keys.filter((key) => chosenCarriers.value!.includes(key));
});

/** Takes the choice of a link such as `#/quotes?new=&forms=ho3&carriers=sawpalm_home,bayou_mutual`. */
export function takeChoice(words: URLSearchParams): void {
  const listed = (name: string) => words.get(name)?.split(',');
  chosenForms.value = listed('forms');
  const keys = listed('carriers');
  const isAppointed = (key: string) => carriers.value.some(({ carrier_key }) => carrier_key === key);
  // Without an appointment among them, all carriers stay chosen.
  chosenCarriers.value = keys?.some(isAppointed) ? keys : undefined;
  notAppointed.value = keys?.filter((key) => !isAppointed(key)).length ?? 0;
  chosenProduct.value = products.value.find(({ form_types }) =>
    form_types.some((form) => chosenForms.value?.includes(form)),
  )?.product_code;
}

interface Described {
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

export async function loadReference(words: URLSearchParams): Promise<void> {
  if (reference.value.state !== 'ready') {
    reference.value = { state: 'loading' };
    const [listed, carriers] = await Promise.all([
      ask<WireProducts>('/api/v1/quote/products', {}, { as: 'team' }),
      ask<WireQuoteCarriers>('/api/v1/quote/carriers', {}, { as: 'team' }),
    ]);
    if (!listed.ok) return fail(listed.failure);
    if (!carriers.ok) return fail(carriers.failure);
    reference.value = { state: 'ready', fields: [], ...listed.data, ...carriers.data };
  }
  takeChoice(words);
  await loadFields();
}

/** The fields depend on the line of business. */
export async function loadFields(): Promise<void> {
  const code = product.value;
  const answer = await ask<Described>('/api/v1/quote/fields', { product_code: code }, { as: 'team' });
  if (!answer.ok) return fail(answer.failure);
  if (reference.value.state !== 'ready' || code !== product.value) return;
  const inputs = Object.entries(answer.data.properties ?? {}).filter(([, { type }]) => type !== 'object');
  const fields = inputs.map(
    ([name, each]): QuoteField => ({
      name,
      description: each.description ?? '',
      words: each.enum,
      isDate: each.format === 'date',
      isNumber: Array.isArray(each.type) && each.type[0] === 'integer',
      example: each.examples?.[0] === undefined ? undefined : String(each.examples[0]),
    }),
  );
  reference.value = { ...reference.value, fields };
}

function fail(failure: Failure): void {
  reference.value = { state: failure.status === 403 ? 'refused' : 'error', failure };
}

/** The answer of the home, if the quote knows it. */
export function answerOfHome({ name, words }: QuoteField): string | undefined {
  const answer = homeAnswers.value[name];
  if (answer === undefined) return undefined;
  const text = String(answer);
  return words === undefined ? text : words.find((word) => word.toLowerCase() === text.toLowerCase());
}

export const valueIn = (field: QuoteField): string => typedFields.value[field.name] ?? answerOfHome(field) ?? '';

/** Includes values of the home that are not fields of a quote: carriers receive them unchanged. */
export function quoteRequest(fields: readonly QuoteField[]): Readonly<Record<string, unknown>> {
  const formValues = Object.fromEntries(
    fields.flatMap((field): [string, unknown][] => {
      const text = valueIn(field);
      if (text === '') return [];
      return [[field.name, (field.isNumber ? readWrittenNumber(text, { isWhole: true }) : undefined) ?? text]];
    }),
  );
  return {
    product_code: product.value,
    assigned_producer_email: producer.value ?? session.value?.producer ?? '',
    form_types: selectedForms.value,
    carrier_keys: selectedCarriers.value,
    fields: { ...Object.fromEntries(otherAnswers(fields)), ...formValues },
  };
}

export function otherAnswers(fields: readonly QuoteField[]): [name: string, value: unknown][] {
  const names = new Set(fields.map(({ name }) => name));
  return Object.entries(homeAnswers.value).filter(([name]) => !names.has(name));
}

export function fillExamples(fields: readonly QuoteField[]): void {
  const soon = new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10);
  typedFields.value = Object.fromEntries(
    fields.map((field) => [
      field.name,
      valueIn(field) || (field.name === 'effective_date' ? soon : (field.example ?? field.words?.[0] ?? '')),
    ]),
  );
}

// The next user must not see personal data.
effect(() => {
  void visit.value;
  reference.value = { state: 'idle' };
  typedFields.value = {};
  producer.value = undefined;
  chosenProduct.value = chosenForms.value = chosenCarriers.value = undefined;
  notAppointed.value = 0;
});
