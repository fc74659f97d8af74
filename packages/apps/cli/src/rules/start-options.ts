import type { ImportOptions } from '@leeward/authoring';
import { homeVocabulary, type Vocabulary } from '@leeward/engine';
import { checkState } from '@leeward/places/counties';
import { type Checked, checkDate, dateInZone, didYouMean, fold, quoteValue } from '@leeward/terms';
import type { KnownLines } from '../lines/known-lines.ts';
import { nearPath } from '../near-path.ts';
import type { Terminal } from '../terminal.ts';
import { WrongUse } from './wrong-use.ts';

/** Options of `new` and `import` about the carrier. */
export interface CarrierWords {
  readonly key?: string;
  readonly name?: string;
  readonly state?: string;
  readonly policyType?: string;
  readonly from?: string;
}

/** Checks what was given on the command line; what was not is a plain beginning. */
export function startOptions(words: CarrierWords, terminal: Terminal, lines: KnownLines): ImportOptions {
  const vocabulary = lines.requested ?? homeVocabulary;
  const carrierKey = words.key ?? 'my_carrier';
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(carrierKey)) {
    throw new WrongUse(`--key is "${carrierKey}"; give lower-case letters, digits and underscores, like bayou_mutual.`);
  }
  const states = (words.state ?? 'tx').split(',').map((text) => requireValue('--state', checkState(text)));
  const policyTypes = (words.policyType ?? usualPolicyType(vocabulary))
    .split(',')
    .map((text) => policyTypeNamed(text, vocabulary));
  // The date that a request of this moment has there: else what was made just now would not be in force yet.
  const usual = dateInZone(terminal.now().getTime(), states[0]!.timeZone);
  const from = words.from === undefined ? usual : requireValue('', checkDate('--from', words.from));
  const spoken = carrierKey.split('_').map((word) => `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`);
  return {
    carrierKey,
    carrierName: words.name ?? spoken.join(' '),
    states: [...new Set(states.map(({ code }) => code))],
    policyTypes: [...new Set(policyTypes)],
    from,
    vocabulary,
  };
}

/** The `--line` option for a follow-up command: files name their line, but not its module. */
export function ownLine({ optionText, requested }: KnownLines, terminal: Pick<Terminal, 'folder'>): string {
  return optionText === undefined || optionText === requested?.line
    ? ''
    : ` --line ./${nearPath(optionText, terminal.folder)}`;
}

function usualPolicyType({ policyTypes }: Vocabulary): string {
  return policyTypes.includes('ho3') ? 'ho3' : policyTypes[0]!;
}

/** A policy type of the line by any usual spelling. */
function policyTypeNamed(text: string, { policyTypes, policyTypeSpellings }: Vocabulary): string {
  const folded = fold(text);
  if (Object.hasOwn(policyTypeSpellings, folded)) return policyTypeSpellings[folded]!;
  const named = policyTypes.find((policyType) => fold(policyType) === folded);
  if (named !== undefined) return named;
  const choices = `use one of: ${policyTypes.join(', ')}.${didYouMean(text, policyTypes)}`;
  throw new WrongUse(`--policy-type: ${quoteValue(text.trim())} is not a policy type; ${choices}`);
}

/** Parses a value as all interfaces do. */
function requireValue<Value>(option: string, checked: Checked<Value>): Value {
  if ('value' in checked) return checked.value;
  throw new WrongUse(option === '' ? checked.message : `${option}: ${checked.message}`);
}
