import { homeVocabulary } from '@leeward/engine';
import { countiesOf } from '@leeward/places/counties';
import { randomHomeCondition } from '../../../../../../test/support/engine/random-home-rules.ts';
import { createRandom, pick, wholeNumber } from '../../../../../../test/support/random.ts';
import { between, file, type HomeOfTopic, oneOf, type Topic } from './topic.ts';

const RULE_SETS = 80;
const HOMES = 8;
const outcomes = ['decline', 'decline', 'refer', 'require', 'inform'];

/** Random rule sets, with random homes that lack many values. */
export function randomTopics(): Topic[] {
  const random = createRandom(24);
  return Array.from({ length: RULE_SETS }, (_, index): Topic => {
    const rules = Array.from({ length: wholeNumber(random, 2, 5) }, (__, place) => ({
      id: `r${place + 1}`,
      outcome: pick(random, outcomes),
      code: 'x_drawn',
      message: `Rule ${place + 1}.`,
      [random() < 0.7 ? 'when' : 'unless']: randomHomeCondition(random, 2),
    }));
    const programs = [{ id: 'all', policy_types: ['ho3', 'ho5', 'dp3', 'wind only'], states: ['tx', 'fl', 'md'] }];
    return {
      name: `drawn/${index + 1}`,
      files: [file(rules, { programs })],
      homes: Array.from({ length: HOMES }, () => drawnHome(random)),
    };
  });
}

/** A random home that lacks a third of the values. */
export function drawnHome(
  random: () => number,
  fields = homeVocabulary.fields.filter((each) => !each.isOnDemand),
): HomeOfTopic {
  const values: Record<string, unknown> = {};
  for (const field of fields) {
    const roll = random();
    if (roll < 0.35) continue;
    const domain = field.domain({ effectiveYear: 2026 });
    if (domain.kind === 'words') {
      const [one, other] = [pick(random, domain.words), pick(random, domain.words)];
      values[field.name] = roll < 0.5 && one !== other ? oneOf(one, other) : one;
      continue;
    }
    // Years of the last hundred; other numbers in the range of usual limits.
    const { min, max } = field.usual ?? { min: Math.max(domain.min, domain.max - 100), max: domain.max };
    const drawn = () => wholeNumber(random, Math.ceil(min), Math.floor(field.usual ? min + (max - min) / 4 : max));
    const [one, other] = [drawn(), drawn()];
    values[field.name] = roll < 0.5 && one !== other ? between(Math.min(one, other), Math.max(one, other)) : one;
  }
  const state = pick(random, ['tx', 'fl', 'md']);
  const isKnown = random() < 0.7;
  return {
    about: 'drawn by chance',
    values,
    state,
    counties: isKnown ? [pick(random, countiesOf(state)).name] : undefined,
    policyType: pick(random, ['ho3', 'ho5', 'dp3', 'wind only']),
  };
}
