import { arrayOf, type Fault, isObject, own, quoteValue } from '@leeward/terms';
import { isConditional } from './read-moratorium.ts';
import { importedId, isImported } from './read-rule.ts';

export function duplicateIds(file: Record<string, unknown>): Fault[] {
  const faults: Fault[] = [];
  const claim = (kind: string) => {
    const firstPaths = new Map<string, string>();
    return (id: unknown, path: string) => {
      if (typeof id !== 'string') return;
      const first = firstPaths.get(id);
      if (first === undefined) firstPaths.set(id, path);
      else {
        const message = `The ${kind} id ${quoteValue(id)} is already used at ${first}; choose another id.`;
        faults.push({ path, code: 'duplicate_id', message });
      }
    };
  };
  const claimRule = claim('rule');
  let number = 0;
  const claimRules = (source: unknown, path: string) => {
    arrayOf(source).forEach((entry, index) => {
      number++;
      const at = `${path}/${index}`;
      if (!isObject(entry)) return;
      if (!isImported(entry)) claimRule(own(entry, 'id'), `${at}/id`);
      else claimRule(importedId(entry, number), Object.hasOwn(entry, 'name') ? `${at}/name` : at);
    });
  };
  claimRules(own(file, 'rules'), '/rules');
  const claimProgram = claim('program');
  arrayOf(own(file, 'programs')).forEach((entry, index) => {
    if (!isObject(entry)) return;
    claimProgram(own(entry, 'id'), `/programs/${index}/id`);
    claimRules(own(entry, 'rules'), `/programs/${index}/rules`);
  });
  const claimMoratorium = claim('moratorium');
  arrayOf(own(file, 'moratoria')).forEach((entry, index) => {
    if (!isObject(entry)) return;
    claimMoratorium(own(entry, 'id'), `/moratoria/${index}/id`);
    // A moratorium with a condition is evaluated as a rule.
    if (isConditional(entry)) claimRule(own(entry, 'id'), `/moratoria/${index}/id`);
  });
  return faults;
}
