import { stateCodes } from '@leeward/places/counties';
import {
  createSuggestionBudget,
  describeValue,
  didYouMean,
  exceedsDepth,
  type Fault,
  type FormType,
  isGiven,
  isObject,
  type JsonObject,
  MAX_JSON_DEPTH,
  own,
  type Product,
  type ProductCode,
  pointer,
  quoteValue,
  unknownKeyFaults,
  withSuggestions,
} from '@leeward/terms';
import { type CarrierCatalog, type CatalogCarrier, type SkipCode, skipReason } from '../catalog/carrier-catalog.ts';
import { normalizeEmail } from '../catalog/quote-fields.ts';
import { homesOnly, type QuotedLines } from '../catalog/quoted-line.ts';
import type { Appointment, TeamDirectory } from '../ports/team-directory.ts';
import { checkFields, isTooWide } from './check-fields.ts';

const bodyKeys = ['product_code', 'assigned_producer_email', 'form_types', 'carrier_keys', 'priority', 'fields'];

const MIN_PRIORITY = 1;
const MAX_PRIORITY = 5;

/** Context of a request check. */
export interface QuoteRequestContext {
  readonly teamId: string;
  readonly catalog: CarrierCatalog;
  readonly teams: TeamDirectory;
  /** `YYYY-MM-DD`. */
  readonly today: string;
  /** @default only homes */
  readonly lines?: QuotedLines;
}

/** A checked request and its planned rates. */
export interface QuoteRequest {
  readonly productCode: ProductCode;
  readonly producerEmail: string;
  readonly effectiveDate: string;
  readonly fields: JsonObject;
  /** 1 to 5: among quotes of the team, the lowest is called first. Undefined stands for 3. */
  readonly priority: number | undefined;
  readonly rates: readonly PlannedRate[];
  readonly skipped: readonly SkippedRate[];
}

/** A rate to call. */
export interface PlannedRate {
  readonly carrierKey: string;
  readonly carrier: string;
  readonly formType: FormType;
}

/** A skipped carrier and form type. */
export interface SkippedRate {
  readonly carrierKey: string;
  readonly formType: FormType;
  readonly code: SkipCode;
}

/** The checked request, or all faults. */
export type CheckedQuoteRequest =
  | { readonly ok: true; readonly request: QuoteRequest }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/**
 * Checks the body of a quote request. Never throws for malformed input: returns all faults at once.
 * @example
 * const result = await checkQuoteRequest(body, { teamId, catalog, teams, today: '2026-11-25' });
 */
export async function checkQuoteRequest(body: unknown, context: QuoteRequestContext): Promise<CheckedQuoteRequest> {
  if (!isObject(body)) {
    const message = `The request is ${quoteValue(body)}; give a JSON object with product_code, assigned_producer_email and fields.`;
    return { ok: false, faults: [{ path: '', code: 'invalid_type', message }] };
  }
  const looked = isTooWide(own(body, 'fields')) ? { ...body, fields: undefined } : body;
  if (exceedsDepth(looked, MAX_JSON_DEPTH)) {
    const message = `The request nests deeper than ${MAX_JSON_DEPTH} levels.`;
    return { ok: false, faults: [{ path: '', code: 'too_deep', message }] };
  }
  const { lines = homesOnly } = context;
  const suggestions = createSuggestionBudget();
  const faults = unknownKeys(body);
  const product = readProduct(own(body, 'product_code'), lines, faults);
  // Without a known product, check as for a home.
  const line = lines.lineOf(product?.formTypes[0] ?? '') ?? lines.lines[0]!;
  const priority = readPriority(own(body, 'priority'), faults);
  const producerEmail = await readProducer(own(body, 'assigned_producer_email'), context, faults);
  const appointments = await context.teams.appointments(context.teamId);
  const [wantedForms, carriers, { fields, faults: fieldFaults }] = withSuggestions(suggestions, () => [
    readFormTypes(own(body, 'form_types'), product, lines, faults),
    readCarriers(own(body, 'carrier_keys'), appointments, context.catalog, faults),
    checkFields(own(body, 'fields'), context.today, line),
  ]);
  faults.push(...fieldFaults);
  if (producerEmail !== undefined) faults.push(...(await licenceFaults(producerEmail, fields['state'], context)));
  if (faults.length > 0 || product === undefined || producerEmail === undefined) return { ok: false, faults };

  const rates: PlannedRate[] = [];
  const skipped: SkippedRate[] = [];
  for (const carrier of carriers) {
    const { key: carrierKey, name } = carrier.adapter;
    const own = appointments.filter((appointment) => appointment.carrierKey === carrierKey);
    for (const formType of wantedForms) {
      const code = skipReason(carrier, own, formType, String(fields['state']));
      if (code === undefined) rates.push({ carrierKey, carrier: name, formType });
      else skipped.push({ carrierKey, formType, code });
    }
  }
  if (rates.length === 0) return { ok: false, faults: [nothingToQuote(product, wantedForms, carriers, skipped)] };
  const { code: productCode } = product;
  const effectiveDate = String(fields['effective_date']);
  return { ok: true, request: { productCode, producerEmail, effectiveDate, fields, priority, rates, skipped } };
}

function unknownKeys(body: Readonly<Record<string, unknown>>): Fault[] {
  const keys = Object.keys(body).filter((key) => !bodyKeys.includes(key) && !key.startsWith('x_'));
  return unknownKeyFaults([{ path: [], keys, allowed: bodyKeys }]).faults;
}

export function readProduct(
  value: unknown,
  { products, findProduct }: QuotedLines,
  faults: Fault[],
): Product | undefined {
  const codes = products.map((product) => product.code);
  const path = '/product_code';
  if (!isGiven(value)) {
    faults.push({ path, code: 'required', message: `product_code is required; give one of: ${codes.join(', ')}.` });
    return undefined;
  }
  const product = typeof value === 'string' ? findProduct(value) : undefined;
  if (product !== undefined) return product;
  const hint = typeof value === 'string' ? didYouMean(value, codes) : '';
  faults.push({
    path,
    code: typeof value === 'string' ? 'unknown_product' : 'invalid_type',
    message: `product_code is ${quoteValue(value)}; give one of: ${codes.join(', ')}.${hint}`,
  });
  return undefined;
}

function readPriority(value: unknown, faults: Fault[]): number | undefined {
  if (!isGiven(value)) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= MIN_PRIORITY && value <= MAX_PRIORITY)
    return value;
  const code = typeof value === 'number' ? 'out_of_range' : 'invalid_type';
  const message = `priority is ${quoteValue(value)}; give a whole number from ${MIN_PRIORITY} (first) to ${MAX_PRIORITY} (last), or omit it for 3.`;
  faults.push({ path: '/priority', code, message });
  return undefined;
}

async function readProducer(
  value: unknown,
  context: QuoteRequestContext,
  faults: Fault[],
): Promise<string | undefined> {
  const path = '/assigned_producer_email';
  const refuse = (code: string, message: string): undefined => {
    faults.push({ path, code, message });
  };
  const expected = 'give the e-mail address of a producer of your team';
  if (!isGiven(value)) return refuse('required', `assigned_producer_email is required; ${expected}.`);
  if (typeof value !== 'string') {
    return refuse('invalid_type', `assigned_producer_email is ${describeValue(value)}; ${expected}.`);
  }
  const email = value.length <= 320 ? normalizeEmail(value.trim()) : undefined;
  if (email === undefined)
    return refuse('invalid_format', `assigned_producer_email is ${describeValue(value)}; ${expected}.`);
  if (await context.teams.hasProducer(context.teamId, email)) return email;
  // Do not reveal whether the person exists elsewhere.
  return refuse('producer_not_on_team', `assigned_producer_email is not a producer of your team; ${expected}.`);
}

/** An invalid state has a separate fault. */
async function licenceFaults(email: string, value: unknown, { teamId, teams }: QuoteRequestContext): Promise<Fault[]> {
  const licensed = (await teams.licensedStates?.(teamId, email)) ?? null;
  const state = String(value).toLowerCase();
  if (licensed === null || !stateCodes.includes(state)) return [];
  if (licensed.some((each) => each.toLowerCase() === state)) return [];
  const names = licensed.length === 0 ? 'no state' : licensed.join(', ').toUpperCase();
  const message = `This producer is licensed in ${names}, not in ${state.toUpperCase()}.`;
  return [{ path: '/assigned_producer_email', code: 'producer_not_licensed', message }];
}

/** Undefined means all; an empty list is a fault. */
function readList(value: unknown, path: string, faults: Fault[]): readonly unknown[] | undefined {
  if (!isGiven(value)) return undefined;
  if (!Array.isArray(value)) {
    const message = `${path.slice(1)} is ${quoteValue(value)}; give a list, or omit it for all.`;
    faults.push({ path, code: 'invalid_type', message });
    return undefined;
  }
  if (value.length > 1000) {
    const message = `${path.slice(1)} has ${value.length} entries; at most 1000 are accepted.`;
    faults.push({ path, code: 'too_many', message });
    return undefined;
  }
  if (value.length === 0) {
    const message = `${path.slice(1)} is empty; give at least one entry, or omit it for all.`;
    faults.push({ path, code: 'empty_list', message });
  }
  return value;
}

function readFormTypes(
  value: unknown,
  product: Product | undefined,
  { formTypes, checkFormType }: QuotedLines,
  faults: Fault[],
): readonly FormType[] {
  const list = readList(value, '/form_types', faults);
  if (list === undefined) return product?.formTypes ?? [];
  const formTypesInRequest = new Set<FormType>();
  list.forEach((text, index) => {
    const path = pointer('form_types', index);
    const allowed = product?.formTypes ?? formTypes;
    const checked = checkFormType(text);
    if (!('value' in checked)) faults.push({ path, ...checked });
    else if (allowed.includes(checked.value)) formTypesInRequest.add(checked.value);
    else {
      const message = `${checked.value} is not a form type of ${product?.code}; there are: ${allowed.join(', ')}.`;
      faults.push({ path, code: 'form_type_not_in_product', message });
    }
  });
  return formTypes.filter((formType) => formTypesInRequest.has(formType));
}

function readCarriers(
  value: unknown,
  appointments: readonly Appointment[],
  catalog: CarrierCatalog,
  faults: Fault[],
): readonly CatalogCarrier[] {
  const appointed = new Set(appointments.map((appointment) => appointment.carrierKey));
  const list = readList(value, '/carrier_keys', faults);
  if (list === undefined) return catalog.carriers.filter((carrier) => appointed.has(carrier.adapter.key));
  const selection = new Set<CatalogCarrier>();
  const spellings = catalog.carriers
    .filter(({ adapter }) => appointed.has(adapter.key))
    .flatMap(({ adapter }) => [adapter.key, adapter.name]);
  list.forEach((text, index) => {
    const path = pointer('carrier_keys', index);
    const carrier = typeof text === 'string' ? catalog.find(text) : undefined;
    if (carrier === undefined) {
      const hint = typeof text === 'string' ? didYouMean(text, spellings) : '';
      const code = typeof text === 'string' ? 'unknown_carrier' : 'invalid_type';
      faults.push({ path, code, message: `${quoteValue(text)} is neither the key nor the name of a carrier.${hint}` });
    } else if (!appointed.has(carrier.adapter.key)) {
      const message = `${carrier.adapter.name} (${carrier.adapter.key}) is not appointed to your team.`;
      faults.push({ path, code: 'carrier_not_appointed', message });
    } else selection.add(carrier);
  });
  return [...selection];
}

function nothingToQuote(
  product: Product,
  forms: readonly FormType[],
  carriers: readonly CatalogCarrier[],
  skipped: readonly SkippedRate[],
): Fault {
  const what = `${product.code} (${forms.join(', ')})`;
  const why =
    carriers.length === 0
      ? 'no carrier is appointed to your team'
      : skipped
          .slice(0, 8)
          .map((each) => `${each.carrierKey} ${each.formType}: ${each.code}`)
          .join('; ');
  const message = `No carrier can be called for ${what}: ${why}. Choose other form types or carriers, or have carriers appointed.`;
  return { path: '', code: 'nothing_to_quote', message };
}
