import { suggest } from '@leeward/terms';
import type { County } from './county.ts';
import { findCounties } from './find-counties.ts';
import { stateIndex } from './find-state.ts';
import { spellOutSuffix, withoutFreeSuffix, words } from './words.ts';

const MAX_LETTERS = 40;

/**
 * The county of the state whose spelling is nearest to the text, for messages: the one meant if the text is a name
 * already, one whose name begins with it, or one that differs by at most a third of its letters; else undefined.
 */
export function suggestCounty(stateCode: string, text: string): County | undefined {
  const index = stateIndex(stateCode);
  if (index === undefined) return undefined;
  const [exact] = findCounties(stateCode, text);
  if (exact !== undefined) return exact;
  const name = spellOutSuffix(words(text));
  const wanted = (withoutFreeSuffix(stateCode, name) ?? name).join('');
  if (wanted.length < 2 || wanted.length > MAX_LETTERS || /^\d+$/.test(wanted)) return undefined;

  const keys = [...index.byKey.keys()];
  const begun = wanted.length >= 4 ? keys.find((key) => key.startsWith(wanted)) : undefined;
  return index.byKey.get(begun ?? suggest(wanted, keys) ?? '')?.[0];
}
