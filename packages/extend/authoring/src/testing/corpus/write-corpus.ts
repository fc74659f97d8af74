/** Writes the published corpus and its data; run by `npm run corpus` after a case or a field was added. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { homeVocabulary } from '@leeward/engine';
import { placesData } from '../../../../../../test/support/conformance/places-data.ts';
import { makeCorpus } from './make-corpus.ts';
import { vocabularyData } from './vocabulary-data.ts';

const folder = new URL('../../../conformance/', import.meta.url);
mkdirSync(folder, { recursive: true });
const { cases, rule_sets, ...head } = await makeCorpus();
const lines = (entries: readonly string[]) => entries.map((entry) => `    ${entry}`).join(',\n');
const text = [
  `{\n  "rule_format": ${head.rule_format},\n  "revision": ${head.revision},`,
  `  "rule_sets": {\n${lines(Object.entries(rule_sets).map(([name, file]) => `${JSON.stringify(name)}: ${JSON.stringify(file)}`))}\n  },`,
  `  "cases": [\n${lines(cases.map((each) => JSON.stringify(each)))}\n  ]\n}\n`,
].join('\n');
writeFileSync(new URL('rule-format-1.json', folder), text);
writeFileSync(new URL('places.json', folder), placesData());
writeFileSync(new URL('vocabulary-home.json', folder), vocabularyData(homeVocabulary));
console.log(`${cases.length} cases over ${Object.keys(rule_sets).length} rule sets, ${text.length} characters`);
