/** Writes the published corpus; run by `npm run corpus` after a case was added. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { makeCorpus } from './make-corpus.ts';

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
console.log(`${cases.length} cases over ${Object.keys(rule_sets).length} rule sets, ${text.length} characters`);
