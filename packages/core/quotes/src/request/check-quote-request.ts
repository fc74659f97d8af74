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

const bodyKeys = ['product_code', 'assigned_producer_email', 'form_types', 'carrier_keys', 'fields'];

/** What a request is checked against. */
export interface QuoteRequestContext {
  readonly teamId: string;
  readonly catalog: CarrierCatalog;
  readonly teams: TeamDirectory;
  /** `YYYY-MM-DD`. */
  readonly today: string;
  /** Default homes alone. */
  readonly lines?: QuotedLines;
}

/** A quote request, checked: which carriers are asked for what. */
export interface QuoteRequest {
  readonly productCode: ProductCode;
  readonly producerEmail: string;
  readonly effectiveDate: string;
  readonly fields: JsonObject;
  readonly rates: readonly PlannedRate[];
  readonly skipped: readonly SkippedRate[];
}

/** A rate that is to be asked for. */
export interface PlannedRate {
  readonly carrierKey: string;
  readonly carrier: string;
  readonly formType: FormType;
}

/** A carrier and form type that is not asked, and why. */
export interface SkippedRate {
  readonly carrierKey: string;
  readonly formType: FormType;
  readonly code: SkipCode;
}

/** The request and its rates, or every fault at once. */
export type CheckedQuoteRequest =
  | { readonly ok: true; readonly request: QuoteRequest }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** Checks the body of a create (service.md 2.2, api.md 2). Throws for no input: all its faults come back at once. */
export async function checkQuoteRequest(body: unknown, context: QuoteRequestContext): Promise<CheckedQuoteRequest> {
  if (!isObject(body)) {
    const message = `The request is ${quoteValue(body)}; give a JSON object with product_code, assigned_producer_email and fields.`;
    return { ok: false, faults: [{ path: '', code: 'invalid_type', message }] };
  }
  // Too many keys are a fault of their own, and none of them is looked into.
  const looked = isTooWide(own(body, 'fields')) ? { ...body, fields: undefined } : body;
  if (exceedsDepth(looked, MAX_JSON_DEPTH)) {
    const message = `The request nests deeper than ${MAX_JSON_DEPTH} levels.`;
    return { ok: false, faults: [{ path: '', code: 'too_deep', message }] };
  }
  const { lines = homesOnly } = context;
  const suggestions = createSuggestionBudget();
  const faults = unknownKeys(body);
  const product = readProduct(own(body, 'product_code'), lines, faults);
  // Of no product the fields of homes are asked for.
  const line = lines.lineOf(product?.formTypes[0] ?? '') ?? lines.lines[0]!;
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
  return { ok: true, request: { productCode, producerEmail, effectiveDate, fields, rates, skipped } };
}

function unknownKeys(body: Readonly<Record<string, unknown>>): Fault[] {
  const keys = Object.keys(body).filter((key) => !bodyKeys.includes(key) && !key.startsWith('x_'));
  return unknownKeyFaults([{ path: [], keys, allowed: bodyKeys }]).faults;
}

function readProduct(given: unknown, { products, findProduct }: QuotedLines, faults: Fault[]): Product | undefined {
  const codes = products.map((product) => product.code);
  const path = '/product_code';
  if (!isGiven(given)) {
    faults.push({ path, code: 'required', message: `product_code is required; give one of: ${codes.join(', ')}.` });
    return undefined;
  }
  const product = typeof given === 'string' ? findProduct(given) : undefined;
  if (product !== undefined) return product;
  const hint = typeof given === 'string' ? didYouMean(given, codes) : '';
  faults.push({
    path,
    code: typeof given === 'string' ? 'unknown_product' : 'invalid_type',
    message: `product_code is ${quoteValue(given)}; give one of: ${codes.join(', ')}.${hint}`,
  });
  return undefined;
}

async function readProducer(
  given: unknown,
  context: QuoteRequestContext,
  faults: Fault[],
): Promise<string | undefined> {
  const path = '/assigned_producer_email';
  const refuse = (code: string, message: string): undefined => {
    faults.push({ path, code, message });
  };
  const wanted = 'give the e-mail address of a producer of your team';
  if (!isGiven(given)) return refuse('required', `assigned_producer_email is required; ${wanted}.`);
  if (typeof given !== 'string') {
    return refuse('invalid_type', `assigned_producer_email is ${describeValue(given)}; ${wanted}.`);
  }
  const email = given.length <= 320 ? normalizeEmail(given.trim()) : undefined;
  if (email === undefined)
    return refuse('invalid_format', `assigned_producer_email is ${describeValue(given)}; ${wanted}.`);
  if (await context.teams.hasProducer(context.teamId, email)) return email;
  // The same whether or not such a person exists anywhere.
  return refuse('producer_not_on_team', `assigned_producer_email is nobody of your team; ${wanted}.`);
}

/** A producer may quote where a licence is held, and a state that is none has a fault of its own. */
async function licenceFaults(email: string, given: unknown, { teamId, teams }: QuoteRequestContext): Promise<Fault[]> {
  const licensed = (await teams.licensedStates?.(teamId, email)) ?? null;
  const state = String(given).toLowerCase();
  if (licensed === null || !stateCodes.includes(state)) return [];
  if (licensed.some((each) => each.toLowerCase() === state)) return [];
  const names = licensed.length === 0 ? 'no state' : licensed.join(', ').toUpperCase();
  const message = `This producer is licensed in ${names}, not in ${state.toUpperCase()}.`;
  return [{ path: '/assigned_producer_email', code: 'producer_not_licensed', message }];
}

/** Left out, all are meant; an empty list would ask nobody, and is a mistake. */
function readList(given: unknown, path: string, faults: Fault[]): readonly unknown[] | undefined {
  if (!isGiven(given)) return undefined;
  if (!Array.isArray(given)) {
    const message = `${path.slice(1)} is ${quoteValue(given)}; give a list, or leave it out for all.`;
    faults.push({ path, code: 'invalid_type', message });
    return undefined;
  }
  if (given.length > 1000) {
    const message = `${path.slice(1)} has ${given.length} entries; at most 1000 are accepted.`;
    faults.push({ path, code: 'too_many', message });
    return undefined;
  }
  if (given.length === 0) {
    const message = `${path.slice(1)} is empty, which asks nobody; give some, or leave it out for all.`;
    faults.push({ path, code: 'empty_list', message });
  }
  return given;
}

function readFormTypes(
  given: unknown,
  product: Product | undefined,
  { formTypes, checkFormType }: QuotedLines,
  faults: Fault[],
): readonly FormType[] {
  const list = readList(given, '/form_types', faults);
  if (list === undefined) return product?.formTypes ?? [];
  const wanted = new Set<FormType>();
  list.forEach((text, index) => {
    const path = pointer('form_types', index);
    const allowed = product?.formTypes ?? formTypes;
    const checked = checkFormType(text);
    if (!('value' in checked)) faults.push({ path, ...checked });
    else if (allowed.includes(checked.value)) wanted.add(checked.value);
    else {
      const message = `${checked.value} is not a form type of ${product?.code}; there are: ${allowed.join(', ')}.`;
      faults.push({ path, code: 'form_type_not_in_product', message });
    }
  });
  return formTypes.filter((formType) => wanted.has(formType));
}

function readCarriers(
  given: unknown,
  appointments: readonly Appointment[],
  catalog: CarrierCatalog,
  faults: Fault[],
): readonly CatalogCarrier[] {
  const appointed = new Set(appointments.map((appointment) => appointment.carrierKey));
  const list = readList(given, '/carrier_keys', faults);
  if (list === undefined) return catalog.carriers.filter((carrier) => appointed.has(carrier.adapter.key));
  const wanted = new Set<CatalogCarrier>();
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
    } else wanted.add(carrier);
  });
  return [...wanted];
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
  const message = `No carrier is left to be asked for ${what}: ${why}. Choose other form types or carriers, or have carriers appointed.`;
  return { path: '', code: 'nothing_to_quote', message };
}
