import { factIndex } from './fact-index.ts';
import type { DomainContext } from './field.ts';
import { YES } from './flag-field.ts';
import type { Vocabulary } from './vocabulary.ts';

type Value = number | string;

/**
 * Writes field values into `home` under their request names. A set is written only if all of its words are known. Returns the names of
 * the written fields.
 */
export function writeFields(
  vocabulary: Vocabulary,
  read: (name: string) => Value | undefined,
  context: DomainContext,
  home: Record<string, unknown>,
): ReadonlySet<string> {
  const written = new Set<string>();
  const { sets } = factIndex(vocabulary);
  for (const field of vocabulary.fields) {
    const value = read(field.name);
    if (value === undefined) continue;
    const { name, requestName, member, schema, resolve, echo } = field;
    if (!schema || !resolve || written.has(name)) continue;
    if (!member) {
      home[requestName] = echo ? echo(value, context) : value;
      written.add(name);
      continue;
    }
    const { members } = sets.get(member.set)!;
    if (!members.every((each) => read(each.name) !== undefined)) continue;
    home[requestName] = members.flatMap((each) => (read(each.name) === YES ? [each.member!.word] : []));
    for (const each of members) written.add(each.name);
  }
  return written;
}
