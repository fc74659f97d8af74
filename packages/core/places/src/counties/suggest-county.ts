import { suggest } from '@leeward/terms';
import type { County } from './county.ts';
import { findCounties } from './find-counties.ts';
import { stateIndex } from './find-state.ts';
import { spellOutSuffix, withoutFreeSuffix, words } from './words.ts';

const MAX_LETTERS = 40;

/**
 * Suggests the county with the nearest spelling. A county's name or prefix gives that county; other spellings may differ by a third of
 * their letters.
 * @example
 * suggestCounty('tx', 'Galvston')?.label; // 'Galveston County'
 */
export function suggestCounty(stateCode: string, text: string): County | undefined {
  const index = stateIndex(stateCode);
  if (index === undefined) return undefined;
  const [exact] = findCounties(stateCode, text);
  if (exact !== undefined) return exact;
  const name = spellOutSuffix(words(text));
  const spelling = (withoutFreeSuffix(stateCode, name) ?? name).join('');
  if (spelling.length < 2 || spelling.length > MAX_LETTERS || /^\d+$/.test(spelling)) return undefined;

  const keys = [...index.byKey.keys()];
  const prefixed = spelling.length >= 4 ? keys.find((key) => key.startsWith(spelling)) : undefined;
  return index.byKey.get(prefixed ?? suggest(spelling, keys) ?? '')?.[0];
}
