import { homeVocabulary } from '@leeward/engine';
import type { ImportOptions } from '@leeward/engine/authoring';
import { findState } from '@leeward/places/counties';
import { dateInZone, isCalendarDate } from '@leeward/terms';
import type { Terminal } from '../terminal.ts';
import { WrongUse } from './wrong-use.ts';

/** What `new` and `import` ask of the carrier. */
export interface CarrierWords {
  readonly key?: string;
  readonly name?: string;
  readonly state?: string;
  readonly policyType?: string;
  readonly from?: string;
}

/** Checks what was given on the command line; what was not is a plain beginning. */
export function startOptions(words: CarrierWords, terminal: Terminal): ImportOptions {
  const carrierKey = words.key ?? 'my_carrier';
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(carrierKey)) {
    throw new WrongUse(`--key is "${carrierKey}"; give lower-case letters, digits and underscores, like bayou_mutual.`);
  }
  const states = (words.state ?? 'tx').split(',').map((text) => {
    const state = findState(text.trim());
    if (!state) throw new WrongUse(`--state is "${text}"; give states, like tx or tx,la.`);
    return state;
  });
  const policyTypes = (words.policyType ?? 'ho3').split(',').map((text) => text.trim());
  const strange = policyTypes.find((type) => !homeVocabulary.policyTypes.includes(type));
  if (strange !== undefined) {
    throw new WrongUse(`--policy-type is "${strange}"; there are: ${homeVocabulary.policyTypes.join(', ')}.`);
  }
  // The date that a request of this moment has there: else what was made just now would not be in force yet.
  const from = words.from ?? dateInZone(terminal.now().getTime(), states[0]!.timeZone);
  if (!isCalendarDate(from)) {
    throw new WrongUse(`--from is "${from}"; give a date like 2026-12-01.`);
  }
  const spoken = carrierKey.split('_').map((word) => `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`);
  return {
    carrierKey,
    carrierName: words.name ?? spoken.join(' '),
    states: [...new Set(states.map(({ code }) => code))],
    policyTypes,
    from,
  };
}
