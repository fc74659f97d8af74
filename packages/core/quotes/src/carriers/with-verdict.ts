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

interface Prepared {
  readonly verdict: CarrierVerdict;
  /** What the adapter beneath gave. */
  readonly inner: unknown;
}

/**
 * A carrier whose own rules are asked first. An ineligible home is not rated. A referral is rated, and the premium comes
 * as `referred`; where information is missing the premium is an indication, and the missing fields are named. An answer
 * that is looked up is judged like one that came at once.
 */
export function withVerdict(adapter: CarrierAdapter, judge: VerdictSource): CarrierAdapter {
  const { key, name, offers, idempotent, limits } = adapter;

  const verdictOf = async (request: CarrierRequest): Promise<CarrierVerdict> => {
    try {
      return await judge(key, request);
    } catch (cause) {
      const message = 'The rules of the carrier could not be read.';
      throw new CarrierFault(message, { kind: 'not_sent', code: 'rules_unavailable', cause });
    }
  };
  const prepare = async (request: CarrierRequest, context: CallContext): Promise<Preparation> => {
    const verdict = await verdictOf(request);
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
      const made = await preparedFor(request, context);
      if ('answer' in made) return made.answer;
      const { verdict, inner } = made.prepared as Prepared;
      return judged(await adapter.quote(request, { ...context, prepared: inner }), verdict);
    },
    ...(adapter.resume !== undefined && {
      async resume(request: CarrierRequest, context: ResumeContext): Promise<CarrierAnswer> {
        const verdict = await verdictOf(request);
        return judged(await adapter.resume!(request, { ...context, prepared: undefined }), verdict);
      },
    }),
    ...(adapter.verifyCallback !== undefined && {
      async verifyCallback(callback: CarrierCallback): Promise<VerifiedCallback> {
        const { id, reference, answer } = await adapter.verifyCallback!(callback);
        // What it brings is fetched, so that it is judged like any other answer. Where it cannot be, it is no more than a number.
        if (answer === undefined || adapter.resume !== undefined) return { id, reference };
        return { id, reference, answer: { ...answer, rateType: 'indication' } };
      },
    }),
    ...(adapter.openDocument !== undefined && { openDocument: adapter.openDocument.bind(adapter) }),
    ...(adapter.lookup !== undefined && {
      async lookup(request: CarrierRequest, context: CallContext): Promise<LookupAnswer> {
        const made = await preparedFor(request, context);
        if ('answer' in made) return { status: 'found', answer: made.answer };
        const { verdict, inner } = made.prepared as Prepared;
        const looked = await adapter.lookup!(request, { ...context, prepared: inner });
        return looked.status === 'found' ? { status: 'found', answer: judged(looked.answer, verdict) } : looked;
      },
    }),
  };
}

function judged(answer: CarrierAnswer, verdict: CarrierVerdict): CarrierAnswer {
  if (answer.outcome !== 'quoted') return answer;
  const required = (verdict.requirements ?? []).map(
    ({ code, message, field }): CarrierMessage => ({ level: 'info', code, message, field }),
  );
  const messages = [...reasonsOf(verdict, 'warning'), ...missingOf(verdict), ...required, ...(answer.messages ?? [])];
  const subjectTo = [...(verdict.requirements ?? []), ...(answer.subjectTo ?? [])];
  switch (verdict.status) {
    case 'referral':
      return { ...answer, outcome: 'referred', rateType: 'indication', messages, subjectTo };
    case 'needs_information':
      return { ...answer, rateType: 'indication', messages, subjectTo };
    default:
      return { ...answer, rateType: worthWith(subjectTo, answer.rateType), messages, subjectTo };
  }
}

/** What still has to be shown stands between a premium and its being bound. */
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
    message: `The carrier's answer hangs on ${field}, which was not given.`,
    field,
  }));
}
