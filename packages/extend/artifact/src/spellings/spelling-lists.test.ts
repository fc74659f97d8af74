import { homeVocabulary } from '@leeward/engine';
import { describe, expect, it } from 'vitest';
import { foldKey, spellingLists } from './spelling-lists.ts';

const lists = spellingLists(homeVocabulary);
const codeOf = (list: readonly { key: string; code: number }[], text: string) =>
  list.find(({ key }) => key === foldKey(text))?.code;

describe('spellingLists', () => {
  it('numbers states, policy types and words from 1', () => {
    expect(codeOf(lists.states, 'N. Carolina')).toBe(34);
    expect(codeOf(lists.policyTypes, 'HO 00 03')).toBe(1);
    expect(codeOf(lists.policyTypes, 'Wind-X')).toBe(homeVocabulary.policyTypes.indexOf('x-wind') + 1);
    expect(codeOf(lists.words.get('roof_type')!, '3-Tab Shingle')).toBe(2);
    expect(codeOf(lists.words.get('construction')!, 'fire resistive/superior')).toBeGreaterThan(0);
    expect(lists.words.get('trampoline')).toEqual([
      { key: 'no', code: 1 },
      { key: 'yes', code: 2 },
    ]);
  });

  it('lists several counties of one name', () => {
    const code = lists.counties.find(({ key }) => key === 'md baltimore')!.code;
    expect(lists.ambiguous[-2 - code]).toEqual([24005, 24510]);
    expect(lists.counties.find(({ key }) => key === 'nm donaana')?.code).toBe(35013);
  });

  it('sorts keys by bytes, each once', () => {
    for (const list of [lists.states, lists.policyTypes, lists.counties, ...lists.words.values()]) {
      const keys = list.map(({ key }) => key);
      expect(keys).toEqual([...new Set(keys)].sort());
    }
  });

  it('rejects words that differ only in punctuation', () => {
    const roof = homeVocabulary.fields.find(({ name }) => name === 'roof_type')!;
    const twin = { ...roof, domain: () => ({ kind: 'words' as const, words: ['n/a', 'na'] }) };
    expect(() => spellingLists({ ...homeVocabulary, fields: [twin] })).toThrow('"na" and "n/a" differ only');
  });
});
