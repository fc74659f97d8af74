import { file, type HomeOfTopic, type Topic } from './topic.ts';

const conditions = { all: [{ fact: 'total_claims', operator: 'greaterThan', value: 2 }] };
const homes: readonly HomeOfTopic[] = [
  { about: 'it fires', values: { total_claims: 3 } },
  { about: 'it does not fire', values: { total_claims: 2 } },
  { about: 'not known whether it fires', values: {} },
];

/** Rules of json-rules-engine: conditions and events, priorities, outcomes by event type. */
export function importedTopics(): Topic[] {
  const topic = (name: string, rules: readonly Record<string, unknown>[], rest: object = {}): Topic => ({
    name: `imported/${name}`,
    files: [file(rules, rest as Record<string, unknown>)],
    homes,
  });
  const event = (type: string, params?: object) => ({ type, ...(params ? { params } : {}) });
  return [
    ...['decline', 'refer', 'require', 'inform'].map((type) =>
      topic(type, [
        { name: 'claims', conditions, event: event(type, { code: 'claims', message: '{total_claims} claims.' }) },
      ]),
    ),
    topic('without-params', [{ conditions, event: event('decline') }]),
    topic('mapped', [{ name: 'claims', conditions, event: event('deny') }], { outcomes: { deny: 'decline' } }),
    topic('accepting', [{ name: 'claims', conditions, event: event('accept') }], {
      outcomes: { accept: { otherwise: 'decline' } },
    }),
    topic('priorities', [
      { name: 'low', conditions, event: event('decline'), priority: 1 },
      { name: 'high', conditions, event: event('decline'), priority: 10 },
      { name: 'middle', conditions, event: event('refer'), priority: 5 },
    ]),
  ];
}
