import { createCatalog, createProperty, homeVocabulary } from '@leeward/engine';
import type { GivenKnowledge } from '@leeward/engine/compiled';
import { countiesOf } from '@leeward/places/counties';
import { createAnswerCase, createDecideCase } from '../../conformance/answer-case.ts';
import type { ConformanceAnswer, ConformanceCase, ConformanceCorpus } from '../../conformance/corpus.ts';
import { recordHome } from '../../replay/recorded-home.ts';
import { areaTopics } from './areas.ts';
import { certaintyTopics } from './certainty.ts';
import { computedTopics } from './computed.ts';
import { conditionalMoratoria, dateTopics } from './dates.ts';
import { detailTopics } from './details.ts';
import { eventTopics } from './events.ts';
import { evidenceTopics } from './evidence.ts';
import { groupTopics } from './groups.ts';
import { importedTopics } from './imported.ts';
import { messageTopics } from './messages.ts';
import { offerTopics } from './offers.ts';
import { operatorTopics } from './operators.ts';
import { placeTopics } from './places.ts';
import { randomFileTopics } from './random-files.ts';
import { randomTopics } from './random-rules.ts';
import { standardTopics } from './standard.ts';
import { randomTierTopics, tierTopics } from './tiers.ts';
import type { HomeOfTopic, Topic } from './topic.ts';

const AS_OF = '2026-11-20T12:00:00Z';
const EFFECTIVE_DATE = '2026-11-20';

/**
 * Makes the corpus of the rule format, always the same: the homes of every topic with this engine's answers. Each answer is compared
 * with json-rules-engine, which evaluates every test alone. A case with another answer there is marked `together`; that answer must not
 * contradict ours.
 *
 * @param answering Creates the function that answers cases, for example with a cache.
 * @param isCompared True for the ids of cases to compare with json-rules-engine.
 * @param only Topics to use instead of the published ones.
 */
export async function makeCorpus(
  answering: typeof createAnswerCase = createAnswerCase,
  isCompared: (id: string) => boolean = () => true,
  only?: readonly Topic[],
): Promise<ConformanceCorpus> {
  const topics: readonly Topic[] = only ?? [
    ...operatorTopics(),
    ...groupTopics(),
    ...placeTopics(),
    ...dateTopics(),
    ...messageTopics(),
    ...importedTopics(),
    ...randomTopics(),
    ...standardTopics(),
    ...randomFileTopics(50, 6),
    ...offerTopics(),
    ...detailTopics(),
    ...computedTopics(),
    ...areaTopics(),
    ...evidenceTopics(),
    ...eventTopics(),
    ...tierTopics(),
    conditionalMoratoria(),
    ...randomTierTopics(20, 6, 44),
    ...certaintyTopics(),
  ];
  const corpus: ConformanceCorpus = { rule_format: 1, revision: 4, rule_sets: {}, cases: [] };
  for (const { name, files, homes } of topics) {
    const names = files.map((_, index) => (files.length === 1 ? name : `${name}-${index + 1}`));
    files.forEach((file, index) => {
      if (Object.hasOwn(corpus.rule_sets, names[index]!)) throw new RangeError(`Two topics are called ${name}.`);
      corpus.rule_sets[names[index]!] = file;
    });
    // Fail early, with the name of the topic.
    createCatalog(names.map((each) => ({ name: each, file: corpus.rule_sets[each]! })));
    homes.forEach((home, index) => {
      corpus.cases.push(unanswered(`${name}/${index + 1}`, names, home));
    });
  }
  const ours = answering(corpus.rule_sets);
  const decide = createDecideCase(corpus.rule_sets);
  const testByTest = answering(corpus.rule_sets, { evaluator: 'reference' });
  for (const each of corpus.cases) {
    each.expect = await ours(each);
    if ((await decide(each))?.conservative) each.conservative = true;
    if (!isCompared(each.id)) continue;
    const apart = await testByTest(each);
    if (JSON.stringify(apart) === JSON.stringify(each.expect)) continue;
    checkSound(each, apart);
    each.reading = 'together';
  }
  return corpus;
}

function unanswered(id: string, ruleSets: string[], home: HomeOfTopic): ConformanceCase {
  const {
    about,
    state = 'tx',
    policyType = 'ho3',
    asOf = AS_OF,
    effectiveDate = EFFECTIVE_DATE,
    isLocated = false,
    location,
    events,
    rangesByCertainty,
  } = home;
  const property = createProperty({
    vocabulary: homeVocabulary,
    policyType,
    state,
    counties: 'counties' in home ? home.counties?.map((name) => fipsOf(name, state)) : [fipsOf('harris', 'tx')],
    values: home.values as Record<string, GivenKnowledge>,
    evidence: home.evidence,
    asOfMs: Date.parse(asOf),
    effectiveDate,
    isLocated,
    location,
    events,
    rangesByCertainty,
  });
  return {
    id,
    about,
    reading: 'test',
    rule_sets: ruleSets,
    ...(home.override ? { override: home.override } : {}),
    home: { ...recordHome(property), ...(events ? { events: [...events] } : {}) },
    expect: { status: 'not_offered' },
  };
}

function fipsOf(name: string, state: string): string {
  const county = countiesOf(state).find((each) => each.name === name);
  if (!county) throw new RangeError(`${state} has no county ${name}.`);
  return county.fips;
}

/** An evaluator of single tests may be less exact, but must not contradict ours. */
function checkSound({ id, expect }: ConformanceCase, apart: ConformanceAnswer): void {
  if (possible(expect).every((status) => possible(apart).includes(status))) return;
  throw new Error(`${id}: ${JSON.stringify(apart)} contradicts ${JSON.stringify(expect)}.`);
}

function possible({ status, possible_statuses }: ConformanceAnswer): readonly string[] {
  return possible_statuses ?? [status];
}
