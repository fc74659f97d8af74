import type { Vocabulary } from '@leeward/engine';
import { typicalValue, writeFields } from '@leeward/engine/compiled';
import type { Field } from '@leeward/engine/vocabulary';

export interface LineStart {
  readonly policyType: string;
  readonly rules: readonly Record<string, unknown>[];
  /** A typical property, in the form of a request. */
  readonly ordinary: Readonly<Record<string, unknown>>;
  readonly cases: readonly {
    readonly note: string;
    /** Fields that differ from `ordinary`. */
    readonly change: Readonly<Record<string, unknown>>;
    readonly status: string;
    readonly codes: readonly string[];
  }[];
}

/** Initial rules for any vocabulary: a limit for its first number, and a referral for the last word of its first choice. */
export function lineStart(vocabulary: Vocabulary, year: number): LineStart {
  const context = { effectiveYear: year };
  const code = vocabulary.codes[0] ?? 'x_guide';
  const values = new Map(vocabulary.fields.map(({ name }) => [name, typicalValue(vocabulary, name, year)]));
  const written = (changed: ReadonlyMap<string, number | string>) => {
    const home: Record<string, unknown> = {};
    writeFields(vocabulary, (name) => changed.get(name), context, home);
    return home;
  };
  const rules: Record<string, unknown>[] = [];
  const cases: LineStart['cases'][number][] = [{ note: 'An ordinary one', change: {}, status: 'eligible', codes: [] }];
  const add = (field: Field, value: number | string, rule: Readonly<Record<string, unknown>>, status: string) => {
    rules.push({ ...rule, code });
    cases.push({
      note: `Rule "${field.name}"`,
      change: written(new Map([[field.name, value]])),
      status,
      codes: [code],
    });
  };
  const number = vocabulary.fields.find(
    ({ isPlain, schema, domain }) => isPlain && schema && domain(context).kind === 'numbers',
  );
  const numbers = number?.domain(context);
  if (number && numbers?.kind === 'numbers' && numbers.max > numbers.min) {
    const middle = (numbers.min + numbers.max) / 2;
    const limit = numbers.integer ? Math.floor(middle) : middle;
    values.set(number.name, numbers.min);
    add(
      number,
      numbers.max,
      {
        id: number.name,
        outcome: 'decline',
        when: { all: [{ fact: number.name, operator: 'greaterThan', value: limit }] },
        message: `Too much: {${number.name}}.`,
      },
      'ineligible',
    );
  }
  const choice = vocabulary.fields.find(
    ({ form, member, schema, domain }) => !form && !member && schema && domain(context).kind === 'words',
  );
  const words = choice?.domain(context);
  if (choice && words?.kind === 'words' && words.words.length > 1) {
    values.set(choice.name, words.words[0]!);
    add(
      choice,
      words.words.at(-1)!,
      {
        id: choice.name,
        outcome: 'refer',
        when: { all: [{ fact: choice.name, operator: 'in', value: words.words.slice(-1) }] },
        message: `Refer to underwriting: {${choice.name}}.`,
      },
      'referral',
    );
  }
  return { policyType: vocabulary.policyTypes[0]!, rules, ordinary: written(values), cases };
}
