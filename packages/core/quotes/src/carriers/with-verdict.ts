import type {
  CallContext,
  CarrierAdapter,
  CarrierAnswer,
  CarrierCallback,
  CarrierMessage,
  CarrierRequest,
  LookupAnswer,
  OpenRequirement,
  Preparation,
  RateType,
  ResumeContext,
  VerifiedCallback,
} from '../ports/carrier-adapter.ts';
import { CarrierFault } from '../ports/carrier-fault.ts';
import type { CarrierVerdict, VerdictSource } from '../ports/verdict-source.ts';
import { type ComparedTerm, compareTerms } from './compare-terms.ts';

interface Prepared {
  readonly verdict: CarrierVerdict;
  readonly inner: unknown;
}

/**
 * Evaluates a carrier's rules before calling it. Ineligible: not rated. Referral: the premium is `referred`. Needs information: the
 * premium is an indication that names the missing fields. Applies to looked-up answers too.
 * @example
 * const carrier = withVerdict(adapter, async () => ({ status: 'eligible', reasons: [], missingFields: [] }));
 */
export function withVerdict(adapter: CarrierAdapter, verdictOf: VerdictSource): CarrierAdapter {
  const { key, name, offers, idempotent, limits } = adapter;

  const readVerdict = async (request: CarrierRequest): Promise<CarrierVerdict> => {
    try {
      return await verdictOf(key, request);
    } catch (cause) {
      const message = 'The rules of the carrier could not be read.';
      throw new CarrierFault(message, { kind: 'not_sent', code: 'rules_unavailable', cause });
    }
  };
  const prepare = async (request: CarrierRequest, context: CallContext): Promise<Preparation> => {
    const verdict = await readVerdict(request);
    if (verdict.status === 'ineligible') {
      return { answer: { outcome: 'ineligible', messages: reasonsOf(verdict, 'error') } };
    }
    if (verdict.status === 'not_offered') {
      const message = 'The carrier does not write this form there.';
      const messages: CarrierMessage[] = [{ level: 'error', code: 'not_offered', message, field: null }];
      return { answer: { outcome: 'ineligible', messages } };
    }
    const inner = await adapter.prepare?.(request, context);
    if (inner !== undefined && 'answer' in inner) return inner;
    return { prepared: { verdict, inner: inner?.prepared } satisfies Prepared };
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
      const { verdict, inner } = preparation.prepared as Prepared;
      return applyVerdict(
        await adapter.quote(request, { ...context, prepared: inner, ...termsOf(verdict) }),
        verdict,
        request,
      );
    },
    ...(adapter.resume !== undefined && {
      async resume(request: CarrierRequest, context: ResumeContext): Promise<CarrierAnswer> {
        const verdict = await readVerdict(request);
        const answer = await adapter.resume!(request, { ...context, prepared: undefined, ...termsOf(verdict) });
        return applyVerdict(answer, verdict, request);
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
    ...(adapter.openDocument !== undefined && { openDocument: adapter.openDocument.bind(adapter) }),
    ...(adapter.lookup !== undefined && {
      async lookup(request: CarrierRequest, context: CallContext): Promise<LookupAnswer> {
        const preparation = await preparedFor(request, context);
        if ('answer' in preparation) return { status: 'found', answer: preparation.answer };
        const { verdict, inner } = preparation.prepared as Prepared;
        const looked = await adapter.lookup!(request, { ...context, prepared: inner, ...termsOf(verdict) });
        return looked.status === 'found'
          ? { status: 'found', answer: applyVerdict(looked.answer, verdict, request) }
          : looked;
      },
    }),
  };
}

function termsOf({ terms = [] }: CarrierVerdict): Pick<CallContext, 'terms'> {
  return terms.length > 0 ? { terms } : {};
}

function applyVerdict(answer: CarrierAnswer, verdict: CarrierVerdict, request: CarrierRequest): CarrierAnswer {
  if (answer.outcome !== 'quoted') return answer;
  const compared = compareTerms(verdict.terms ?? [], answer, request);
  const notStated = compared
    .filter(({ result }) => result === 'not_stated')
    .map(({ term }): OpenRequirement => ({ code: term.name, message: `Term of the carrier: ${term.text}.` }));
  const isViolated = compared.some(({ result }) => result === 'violated');
  const required = (verdict.requirements ?? []).map(
    ({ code, message, field }): CarrierMessage => ({ level: 'info', code, message, field }),
  );
  const messages = [
    ...reasonsOf(verdict, 'warning'),
    ...missingOf(verdict),
    ...compared.flatMap(messageOfTerm),
    ...required,
    ...(answer.messages ?? []),
  ];
  const subjectTo = [...(verdict.requirements ?? []), ...notStated, ...(answer.subjectTo ?? [])];
  // A premium that violates a term is not one that the carrier accepts.
  if (isViolated && verdict.status === 'eligible') return { ...answer, rateType: 'indication', messages, subjectTo };
  switch (verdict.status) {
    case 'referral':
      return { ...answer, outcome: 'referred', rateType: 'indication', messages, subjectTo };
    case 'needs_information':
      return { ...answer, rateType: 'indication', messages, subjectTo };
    default:
      return { ...answer, rateType: worthWith(subjectTo, answer.rateType), messages, subjectTo };
  }
}

function messageOfTerm({ term, result, value }: ComparedTerm): CarrierMessage[] {
  const { name: code, text } = term;
  if (result !== 'violated') return [{ level: 'info', code, message: `Term of the carrier: ${text}.` }];
  const message = `The rate violates a term of the carrier (${text}); it has ${String(value)}.`;
  return [{ level: 'warning', code: 'term_violated', message, field: null }];
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
    message: `The carrier's answer depends on ${field}, which is missing.`,
    field,
  }));
}
