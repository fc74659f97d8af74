import type { CarrierAdapter, CarrierAnswer, CarrierMessage } from '../ports/carrier-adapter.ts';
import { CarrierFault } from '../ports/carrier-fault.ts';
import type { CarrierVerdict, Judge } from '../ports/judge.ts';

/**
 * A carrier whose own rules are asked first. An ineligible home is not rated. A referral is rated, and the premium comes
 * as `referred`; where information is missing the premium is an indication, and the missing fields are named.
 */
export function withVerdict(adapter: CarrierAdapter, judge: Judge): CarrierAdapter {
  const { key, name, offers, idempotent, limits } = adapter;
  return {
    key,
    name,
    offers,
    idempotent,
    limits,
    ...(adapter.lookup !== undefined && { lookup: adapter.lookup.bind(adapter) }),
    async quote(request, context) {
      let verdict: CarrierVerdict;
      try {
        verdict = await judge(adapter.key, request);
      } catch (cause) {
        const message = 'The rules of the carrier could not be asked.';
        throw new CarrierFault(message, { kind: 'refused', code: 'rules_unavailable', cause });
      }
      if (verdict.status === 'ineligible') return { outcome: 'ineligible', messages: reasonsOf(verdict, 'error') };
      if (verdict.status === 'not_offered') {
        const message = 'The carrier does not write this form there.';
        return { outcome: 'ineligible', messages: [{ level: 'error', code: 'not_offered', message, field: null }] };
      }
      return judged(await adapter.quote(request, context), verdict);
    },
  };
}

function judged(answer: CarrierAnswer, verdict: CarrierVerdict): CarrierAnswer {
  if (answer.outcome !== 'quoted') return answer;
  const required = (verdict.requirements ?? []).map(
    ({ code, message, field }): CarrierMessage => ({ level: 'info', code, message, field }),
  );
  const messages = [...reasonsOf(verdict, 'warning'), ...missingOf(verdict), ...required, ...(answer.messages ?? [])];
  switch (verdict.status) {
    case 'referral':
      return { ...answer, outcome: 'referred', rateType: 'indication', messages };
    case 'needs_information':
      return { ...answer, rateType: 'indication', messages };
    default:
      return { ...answer, messages };
  }
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
