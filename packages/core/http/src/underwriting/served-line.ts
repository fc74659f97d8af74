import type { Catalog, Line, Vocabulary } from '@leeward/engine';
import { asExample } from '../document/content-text.ts';
import type { Examples } from '../operation/operation.ts';
import { decisionExamples } from './decision-examples.ts';
import { homeExamples } from './request-content.ts';
import { appetiteNotice } from './write-decision.ts';

/** For paths, operations and sentences. */
export interface LineWords {
  /** In paths: `/v1/underwrite/home`. */
  readonly segment: string;
  /** For operations and schemas: `Home`. */
  readonly name: string;
  /** For people: `Home`. */
  readonly title: string;
  /** In sentences: `home`. */
  readonly noun: string;
  readonly requestExamples: Examples;
  readonly answerExamples: Examples;
}

export const homeWords: LineWords = {
  segment: 'home',
  name: 'Home',
  title: 'Home',
  noun: 'home',
  requestExamples: homeExamples,
  answerExamples: decisionExamples,
};

export function wordsOfLine(line: Line): LineWords {
  const { vocabulary, title, noun } = line;
  const home = ordinary(line);
  const { state, policy_type, ...rest } = home;
  return {
    segment: vocabulary.line,
    name: capitals(vocabulary.line),
    title,
    noun,
    requestExamples: {
      ordinary: { summary: `An ordinary ${noun} in Florida`, value: home },
      little: { summary: 'Only the place is known', value: { state: 'Florida' } },
    },
    answerExamples: asExample(`One carrier accepts the ${noun}`, {
      trace_id: '018f2f6e-7a5b-4c1d-9e3f-2b6a1c0d4e5f',
      as_of: '2026-11-20T12:00:00.000000Z',
      effective_date: '2026-11-20',
      organization_id: null,
      home: { state, policy_type, ...rest },
      counts: { eligible: 1, referral: 0, needs_information: 0, ineligible: 0, not_offered: 0 },
      carriers: [
        {
          carrier_key: 'bayou_mutual',
          carrier: 'Bayou Mutual',
          policy_type,
          status: 'eligible',
          possible_statuses: ['eligible'],
          reasons: [],
          requirements: [],
          possible_requirements: [],
          notes: [],
          missing_fields: [],
          rule_set: { version: '2026.1', sha256: '447ed7533eff0893c38aeb9ede675d223f310b3a924ebd453bfd709b7a00431d' },
          source: 'catalog',
        },
      ],
      declined: [],
      next_questions: [],
      warnings: [],
      notice: appetiteNotice,
    }),
  };
}

/** `personal_boat` → `PersonalBoat`. */
export function capitals(line: string): string {
  return line
    .split('_')
    .map((word) => `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`)
    .join('');
}

/** With the fields that a quote requires. */
function ordinary({ vocabulary, quoteFields }: Line): Record<string, unknown> {
  const home: Record<string, unknown> = { state: 'fl', policy_type: vocabulary.policyTypes[0] };
  // Fields that go together.
  const paired = vocabulary.givenTogether.filter((pair) => pair.some((name) => quoteFields.includes(name))).flat();
  for (const name of new Set([...quoteFields, ...paired])) {
    const field = vocabulary.fields.find(({ requestName, member }) => requestName === name && !member);
    if (field) home[name] = ordinaryValue(field);
  }
  return home;
}

function ordinaryValue({ typical, domain, form, echo }: Vocabulary['fields'][number]): unknown {
  const context = { effectiveYear: 2026 };
  const values = domain(context);
  const value = typical ?? (values.kind === 'words' ? values.words[0]! : values.min);
  return form ? form.write(value) : echo ? echo(value, context) : value;
}

/** @throws {TypeError} If the catalog belongs to another line. */
export function expectLine(line: Line, { vocabulary }: Catalog): void {
  if (vocabulary === line.vocabulary) return;
  throw new TypeError(
    `The catalog of the line "${line.vocabulary.line}" has the vocabulary of "${vocabulary.line}"; make it with { vocabulary: line.vocabulary }.`,
  );
}
