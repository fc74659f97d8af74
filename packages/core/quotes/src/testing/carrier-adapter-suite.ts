import assert from 'node:assert/strict';
import type { JsonObject } from '@leeward/terms';
import { type FormType, formTypes, productOf } from '@leeward/terms';
import { createCarrierCatalog } from '../catalog/carrier-catalog.ts';
import { checkAnswer } from '../orchestrator/check-answer.ts';
import type { CallContext, CarrierAdapter, CarrierAnswer, CarrierRequest } from '../ports/carrier-adapter.ts';
import { CarrierFault } from '../ports/carrier-fault.ts';
import { createUuid } from '../request/uuid.ts';
import { exampleFields } from './example-request.ts';
import type { SuiteCase } from './suite.ts';

/** Options of the suite. */
export interface CarrierAdapterSuiteOptions {
  /** Its carrier answers correctly. */
  readonly create: () => CarrierAdapter | Promise<CarrierAdapter>;
  /** @default an inland home in Florida */
  readonly fields?: JsonObject | undefined;
  /** Time for an aborted call to return. @default 1000 */
  readonly abortWithinMs?: number | undefined;
}

/**
 * Tests of the contract of {@link CarrierAdapter}.
 *
 * @example
 * for (const { name, run } of carrierAdapterSuite({ create: () => adapter })) it(name, run);
 */
export function carrierAdapterSuite(options: CarrierAdapterSuiteOptions): SuiteCase[] {
  const { create, fields = exampleFields, abortWithinMs = 1000 } = options;
  return [
    {
      name: 'has a key, a name, offers and limits that a catalog accepts',
      async run() {
        const adapter = await create();
        const catalog = createCarrierCatalog([adapter]);
        assert.equal(catalog.find(adapter.key), catalog.find(adapter.name));
        assert.ok(adapter.offers.length > 0, 'it offers nothing');
        assert.equal(typeof adapter.idempotent, 'boolean');
      },
    },
    {
      name: 'answers every form type that it offers',
      async run() {
        const adapter = await create();
        const offered = new Set(adapter.offers.flatMap((offer) => offer.formTypes));
        for (const formType of formTypes.filter((each) => offered.has(each))) {
          const answer = answered(await ask(adapter, request(fields, formType)));
          assert.ok(['end', 'pending'].includes(checkAnswer(answer, adapter).kind));
        }
      },
    },
    {
      name: 'answers a retry under the same key with the same quote, if it is idempotent',
      async run() {
        const adapter = await create();
        if (!adapter.idempotent) return;
        const again = request(fields, firstForm(adapter));
        const first = answered(await ask(adapter, again));
        const second = answered(await ask(adapter, again, { attempt: 2 }));
        assert.equal(second.outcome, first.outcome);
        assert.equal(second.premiumCents, first.premiumCents);
        assert.equal(second.carrierQuoteNumber, first.carrierQuoteNumber);
      },
    },
    {
      name: 'does not change the request',
      async run() {
        const adapter = await create();
        const before = request(fields, firstForm(adapter));
        const frozen = deepFreeze(structuredClone(before));
        await ask(adapter, frozen);
        assert.deepEqual(frozen, before);
      },
    },
    {
      name: 'works on several calls at once',
      async run() {
        const adapter = await create();
        const count = Math.min(16, adapter.limits?.concurrency ?? 8);
        const requests = Array.from({ length: count }, () => request(fields, firstForm(adapter)));
        const answers = await Promise.all(requests.map((each) => ask(adapter, each)));
        for (const each of answers) answered(each);
      },
    },
    {
      name: 'rejects an aborted signal, and returns soon after a later abort',
      async run() {
        const adapter = await create();
        for (const afterMs of [0, 1, 5, 25]) {
          const controller = new AbortController();
          if (afterMs === 0) controller.abort();
          const call = ask(adapter, request(fields, firstForm(adapter)), { signal: controller.signal });
          if (afterMs > 0) setTimeout(() => controller.abort(), afterMs);
          const result = await Promise.race([call, late(afterMs + abortWithinMs)]);
          assert.ok(result !== 'late', `it was still under way ${abortWithinMs} ms after its signal`);
          if (afterMs === 0) assert.ok(result.error, 'it answered although it was aborted before it began');
        }
      },
    },
    {
      name: 'returns an answer or a fault for any fields',
      async run() {
        const adapter = await create();
        for (const strange of strangeFields(fields)) {
          const { answer, error } = await ask(adapter, request(strange, firstForm(adapter)));
          const what = JSON.stringify(strange).slice(0, 200);
          assert.ok(error === undefined || error instanceof CarrierFault, `it threw ${String(error)} for ${what}`);
          if (answer !== undefined)
            assert.doesNotThrow(() => checkAnswer(answer, adapter), `its answer is invalid for ${what}`);
        }
      },
    },
    {
      name: 'finds an earlier request if it supports lookup, and invents no answer',
      async run() {
        const adapter = await create();
        if (adapter.lookup === undefined) return;
        const earlier = request(fields, firstForm(adapter));
        const answer = answered(await ask(adapter, earlier));
        const match = await adapter.lookup(earlier, context(earlier.rateId));
        assert.equal(match.status, 'found');
        if (match.status === 'found') assert.equal(match.answer.premiumCents, answer.premiumCents);
        const unknown = request(fields, firstForm(adapter));
        assert.notEqual((await adapter.lookup(unknown, context(unknown.rateId))).status, 'found');
      },
    },
  ];
}

function request(fields: JsonObject, formType: FormType): CarrierRequest {
  return {
    rateId: createUuid(Date.now()),
    quoteRequestId: createUuid(Date.now()),
    teamId: 'team-1',
    productCode: productOf(formType).code,
    formType,
    effectiveDate: String(exampleFields['effective_date']),
    producerEmail: 'agent@example.com',
    fields,
  };
}

function context(idempotencyKey: string): CallContext {
  return { idempotencyKey, signal: new AbortController().signal, deadlineMs: 30_000, attempt: 1 };
}

type Asked = { answer: CarrierAnswer; error?: undefined } | { answer?: undefined; error: unknown };

async function ask(
  adapter: CarrierAdapter,
  carrierRequest: CarrierRequest,
  more: Partial<CallContext> = {},
): Promise<Asked> {
  try {
    return { answer: await adapter.quote(carrierRequest, { ...context(carrierRequest.rateId), ...more }) };
  } catch (error) {
    return { error: error ?? new Error('It rejected with nothing.') };
  }
}

function answered({ answer, error }: Asked): CarrierAnswer {
  if (answer === undefined) throw error;
  return answer;
}

function firstForm(adapter: CarrierAdapter): FormType {
  return adapter.offers[0]!.formTypes[0]!;
}

function late(afterMs: number): Promise<'late'> {
  return new Promise((resolve) => setTimeout(() => resolve('late'), afterMs).unref());
}

function strangeFields(fields: JsonObject): JsonObject[] {
  return [
    {},
    JSON.parse('{"__proto__": {"dwelling_a": 1}, "constructor": "x", "toString": null}') as JsonObject,
    { ...fields, dwelling_a: 'many' },
    { ...fields, dwelling_a: 1e308 },
    { ...fields, dwelling_a: 0.1 },
    { ...fields, first_name: 'x'.repeat(100_000) },
    { ...fields, county: '\u0000\ud800{{fields.state}}' },
    { ...fields, state: ['fl'], zipcode: { five: 1 } },
    { ...fields, year_built: null, roof_year: -1 },
    { ...fields, extra: [[[[[[[[{ deep: true }]]]]]]]] },
  ];
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) deepFreeze(child);
    Object.freeze(value);
  }
  return value;
}
