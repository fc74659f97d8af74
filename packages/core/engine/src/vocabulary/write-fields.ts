import { factIndex } from './fact-index.ts';
import type { DomainContext } from './field.ts';
import { YES } from './flag-field.ts';
import type { Vocabulary } from './vocabulary.ts';

type Value = number | string;

/**
 * Writes what is known of the fields as a request gives it, by request name, and gives back the names of the
 * fields that it wrote. A set is written where it is known of each word whether it has it.
 */
export function writeFields(
  vocabulary: Vocabulary,
  knownOf: (name: string) => Value | undefined,
  context: DomainContext,
  home: Record<string, unknown>,
): ReadonlySet<string> {
  const written = new Set<string>();
  const { sets } = factIndex(vocabulary);
  for (const field of vocabulary.fields) {
    const { name, requestName, member, schema, resolve, echo } = field;
    const value = knownOf(name);
    if (!schema || !resolve || value === undefined || written.has(name)) continue;
    if (!member) {
      home[requestName] = echo ? echo(value, context) : value;
      written.add(name);
      continue;
    }
    const { members } = sets.get(member.set)!;
    if (!members.every((each) => knownOf(each.name) !== undefined)) continue;
    home[requestName] = members.flatMap((each) => (knownOf(each.name) === YES ? [each.member!.word] : []));
    for (const each of members) written.add(each.name);
  }
  return written;
}
