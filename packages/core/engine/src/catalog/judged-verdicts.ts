import type { Verdict } from '../verdict/verdict.ts';
import type { JudgedCarriers } from './table-verdicts.ts';

/** The statuses of all answers, each list for one policy type. */
export function* statusesOf(answers: readonly JudgedCarriers[]): Generator<Verdict['status']> {
  for (const answer of answers) for (let index = 0; index < answer.count; index++) yield answer.statusOf(index);
}

/** Verdicts by carrier name, then policy type, then key. */
export function verdictsByName(
  answers: readonly JudgedCarriers[],
  byName: readonly (readonly number[])[],
  carrierCount: number,
): Verdict[] {
  const places = answers.map((answer) => {
    const place = new Int32Array(carrierCount).fill(-1);
    for (let index = 0; index < answer.count; index++) place[answer.carrierOf(index)] = index;
    return place;
  });
  const verdicts: Verdict[] = [];
  for (const carriers of byName) {
    answers.forEach((answer, type) => {
      for (const carrier of carriers) {
        const place = places[type]![carrier]!;
        if (place >= 0) verdicts.push(answer.verdictOf(place));
      }
    });
  }
  return verdicts;
}
