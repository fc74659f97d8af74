import { wordOf } from '@leeward/terms';
import type {
  CallContext,
  CarrierAdapter,
  CarrierAnswer,
  CarrierCallback,
  CarrierMessage,
  CarrierRequest,
  CarrierTier,
  ComparedTerm,
  IndicationRequest,
  LookupAnswer,
  OpenRequirement,
  OtherRates,
  Preparation,
  RateType,
  ResumeContext,
  VerifiedCallback,
} from '../ports/carrier-adapter.ts';
import { CarrierFault } from '../ports/carrier-fault.ts';
import type { AnswersOfQuote, CarrierVerdict, VerdictSource } from '../ports/verdict-source.ts';
import { compareTerms } from './compare-terms.ts';

interface Prepared {
  readonly verdict: CarrierVerdict;
  /** Both evaluations use the same answers. */
  readonly readOthers: CallContext['readOthers'];
  readonly inner: unknown;
}

/**
 * Evaluates a carrier's rules before calling it. Ineligible: not rated. Referral: the premium is `referred`. Needs information: the
 * premium is an indication that names the missing fields. Applies to looked-up answers too. A carrier whose rules test the answers of
 * other carriers is called after them. Rules that test the premium of the rate are evaluated again after the call, and withdraw the rate
 * if they decline.
 * @example
 * const carrier = withVerdict(adapter, async () => ({ status: 'eligible', reasons: [], missingFields: [] }));
 */
export function withVerdict(adapter: CarrierAdapter, verdictOf: VerdictSource): CarrierAdapter {
  const { key, name, offers, idempotent, limits } = adapter;

  const readVerdict = async (request: CarrierRequest, answers: AnswersOfQuote): Promise<CarrierVerdict> => {
    try {
      return await verdictOf(key, request, answers);
    } catch (cause) {
      const message = 'The rules of the carrier could not be read.';
      throw new CarrierFault(message, { kind: 'not_sent', code: 'rules_unavailable', cause });
    }
  };
  const prepare = async (request: CarrierRequest, context: CallContext): Promise<Preparation> => {
    const readOthers = readOnce(context.readOthers);
    const verdict = await readVerdict(request, { readOthers });
    if (verdict.waitsForOthers) return { waitForOthers: true };
    if (verdict.status === 'ineligible') {
      return { answer: { outcome: 'ineligible', messages: [...reasonsOf(verdict, 'error'), ...othersOf(verdict)] } };
    }
    if (verdict.status === 'not_offered') {
      const message = 'The carrier does not write this form there.';
      const messages: CarrierMessage[] = [{ level: 'error', code: 'not_offered', message, field: null }];
      return { answer: { outcome: 'ineligible', messages } };
    }
    const inner = await adapter.prepare?.(request, context);
    if (inner !== undefined && !('prepared' in inner)) return inner;
    return { prepared: { verdict, readOthers, inner: inner?.prepared } satisfies Prepared };
  };
  /** Applies the verdict to an answer; with its premium if the rules test that. */
  const apply = async (
    answer: CarrierAnswer,
    { verdict, readOthers }: Omit<Prepared, 'inner'>,
    request: CarrierRequest,
  ): Promise<CarrierAnswer> => {
    const { outcome, premiumCents } = answer;
    if (!verdict.testsOwnPremium || premiumCents === undefined || (outcome !== 'quoted' && outcome !== 'referred')) {
      return applyVerdict(answer, verdict, request);
    }
    let withPremium: CarrierVerdict;
    try {
      withPremium = await verdictOf(key, request, { readOthers, ownPremiumCents: premiumCents });
    } catch {
      // The carrier has answered: keep its rate, as far as the rules are known.
      return applyVerdict(answer, verdict, request);
    }
    if (withPremium.status !== 'ineligible') return applyVerdict(answer, withPremium, request);
    const messages = [withdrawn, ...reasonsOf(withPremium, 'error'), ...othersOf(verdict), ...(answer.messages ?? [])];
    return { outcome: 'ineligible', messages };
  };
  const preparedFor = async (request: CarrierRequest, context: CallContext) =>
    context.prepared === undefined ? prepare(request, context) : { prepared: context.prepared };
  return {
    key,
    name,
    offers,
    idempotent,
    limits,
    prepare,
    async quote(request, context) {
      const preparation = await preparedFor(request, context);
      if ('answer' in preparation) return preparation.answer;
      if ('waitForOthers' in preparation) throw notPrepared();
      const { inner, ...evaluated } = preparation.prepared as Prepared;
      const answer = await adapter.quote(request, { ...context, prepared: inner, ...offerOf(evaluated.verdict) });
      return apply(answer, evaluated, request);
    },
    ...(adapter.resume !== undefined && {
      async resume(request: CarrierRequest, context: ResumeContext): Promise<CarrierAnswer> {
        const readOthers = withoutWait(readOnce(context.readOthers));
        const verdict = await readVerdict(request, { readOthers });
        const answer = await adapter.resume!(request, { ...context, prepared: undefined, ...offerOf(verdict) });
        return apply(answer, { verdict, readOthers }, request);
      },
    }),
    ...(adapter.verifyCallback !== undefined && {
      async verifyCallback(callback: CarrierCallback): Promise<VerifiedCallback> {
        const { id, reference, answer } = await adapter.verifyCallback!(callback);
        // A callback's answer needs the verdict too: poll, or give only an indication.
        if (answer === undefined || adapter.resume !== undefined) return { id, reference };
        return { id, reference, answer: { ...answer, rateType: 'indication' } };
      },
    }),
    ...(adapter.financialStrength !== undefined && { financialStrength: () => adapter.financialStrength!() }),
    ...(adapter.indicate !== undefined && { indicate: (request: IndicationRequest) => adapter.indicate!(request) }),
    ...(adapter.openDocument !== undefined && { openDocument: adapter.openDocument.bind(adapter) }),
    ...(adapter.lookup !== undefined && {
      async lookup(request: CarrierRequest, context: CallContext): Promise<LookupAnswer> {
        const preparation = await preparedFor(request, context);
        if ('answer' in preparation) return { status: 'found', answer: preparation.answer };
        if ('waitForOthers' in preparation) throw notPrepared();
        const { inner, ...evaluated } = preparation.prepared as Prepared;
        const looked = await adapter.lookup!(request, { ...context, prepared: inner, ...offerOf(evaluated.verdict) });
        return looked.status === 'found'
          ? { status: 'found', answer: await apply(looked.answer, evaluated, request) }
          : looked;
      },
    }),
  };
}

const withdrawn: CarrierMessage = {
  level: 'error',
  code: 'rate_withdrawn',
  message: 'The carrier calculated a rate, but its rules decline the home at that premium.',
  field: null,
};

/** A call that was not prepared before: its preparation has to wait. */
function notPrepared(): CarrierFault {
  const message = 'The rules of the carrier depend on other carriers that have not ended.';
  return new CarrierFault(message, { kind: 'not_sent', code: 'other_carriers' });
}

/** Both evaluations of a rate use the same answers. */
function readOnce(readOthers: CallContext['readOthers']): CallContext['readOthers'] {
  let rates: Promise<OtherRates> | undefined;
  return readOthers && (() => (rates ??= readOthers()));
}

function withoutWait(readOthers: CallContext['readOthers']): CallContext['readOthers'] {
  return readOthers && (async () => ({ ...(await readOthers()), canWait: false }));
}

function offerOf({ terms = [], tier }: CarrierVerdict): Pick<CallContext, 'terms' | 'tier'> {
  return { ...(terms.length > 0 ? { terms } : {}), ...(tier ? { tier } : {}) };
}

/** The tier as a message; possible tiers as a warning. */
function tierMessages({ tier, possibleTiers = [] }: CarrierVerdict): CarrierMessage[] {
  const nameOf = ({ name, programId }: CarrierTier) => name ?? programId;
  if (tier) return [{ level: 'info', code: 'tier', message: `Tier of the carrier: ${nameOf(tier)}.`, field: null }];
  if (possibleTiers.length === 0) return [];
  const names = possibleTiers.map(nameOf).join(' or ');
  const message = `The tier of the carrier depends on missing fields: ${names}.`;
  return [{ level: 'warning', code: 'tier_open', message, field: null }];
}

function applyVerdict(unchecked: CarrierAnswer, verdict: CarrierVerdict, request: CarrierRequest): CarrierAnswer {
  if (unchecked.outcome !== 'quoted') return unchecked;
  const compared = compareTerms(verdict.terms ?? [], unchecked, request);
  const answer = compared.length === 0 ? unchecked : { ...unchecked, constraints: compared };
  const notStated = compared
    .filter(({ result }) => result === 'not_stated')
    .map(({ name, text }): OpenRequirement => ({ code: name, message: `Term of the carrier: ${text}.` }));
  const isViolated = compared.some(({ result }) => result === 'violated');
  const required = (verdict.requirements ?? []).map(
    ({ code, message, field }): CarrierMessage => ({ level: 'info', code, message, field }),
  );
  const messages = [
    ...reasonsOf(verdict, 'warning'),
    ...missingOf(verdict),
    ...tierMessages(verdict),
    ...compared.flatMap(messageOfTerm),
    ...required,
    ...othersOf(verdict),
    ...(answer.messages ?? []),
  ];
  const subjectTo = [...(verdict.requirements ?? []), ...notStated, ...(answer.subjectTo ?? [])];
  // A premium that violates a term, or is of an unknown tier, is not one that the carrier accepts.
  const isTierOpen = (verdict.possibleTiers ?? []).length > 0;
  if ((isViolated || isTierOpen) && verdict.status === 'eligible')
    return { ...answer, rateType: 'indication', messages, subjectTo };
  switch (verdict.status) {
    case 'referral':
      return { ...answer, outcome: 'referred', rateType: 'indication', messages, subjectTo };
    case 'needs_information':
      return { ...answer, rateType: 'indication', messages, subjectTo };
    default:
      return { ...answer, rateType: worthWith(subjectTo, answer.rateType), messages, subjectTo };
  }
}

function messageOfTerm({ name: code, text, result, value }: ComparedTerm): CarrierMessage[] {
  if (result !== 'violated') return [{ level: 'info', code, message: `Term of the carrier: ${text}.` }];
  const message = `The rate violates a term of the carrier (${text}); it has ${String(value)}.`;
  return [{ level: 'warning', code: 'term_violated', message, field: null }];
}

/** Code of the message that an answer depends on the rates of other carriers. */
export const dependsOnOthersCode = 'depends_on_other_carriers';

function othersOf({ dependsOnOthers }: CarrierVerdict): CarrierMessage[] {
  if (!dependsOnOthers) return [];
  const message = 'The answer depends on the answers of other carriers in this quote.';
  return [{ level: 'info', code: dependsOnOthersCode, message, field: null }];
}

function worthWith(subjectTo: readonly OpenRequirement[], rateType: RateType | undefined): RateType | undefined {
  return rateType === 'bindable' && subjectTo.length > 0 ? 'quoted' : rateType;
}

function reasonsOf(verdict: CarrierVerdict, level: CarrierMessage['level']): CarrierMessage[] {
  return verdict.reasons.map(({ code, message, field }) => ({ level, code, message, field }));
}

function missingOf(verdict: CarrierVerdict): CarrierMessage[] {
  if (verdict.status !== 'needs_information') return [];
  return verdict.missingFields.map((field) => ({
    level: 'warning',
    code: 'missing_field',
    message: `The carrier's answer depends on ${wordOf('field', field)}, which is missing.`,
    field,
  }));
}
