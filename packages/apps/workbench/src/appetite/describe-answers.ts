import type { AnswerCounts } from '../evaluate/count-answers.ts';

const number = (value: number) => value.toLocaleString('en-US');

/** `2 yes · up to 6 more if answered · 5 no`. */
export function describeAnswers({ takes, could, declines }: AnswerCounts): string {
  const open = could === 0 ? [] : [`up to ${could} more if answered`];
  return [`${takes} yes`, ...open, `${declines} no`].join(' · ');
}

/** Counties by whether a carrier would, could or would not take the home. */
export function describeCounties(counties: readonly AnswerCounts[]): string {
  const taking = counties.filter(({ takes }) => takes > 0);
  const open = counties.filter(({ takes, could }) => takes === 0 && could > 0);
  const largest = (counts: readonly number[]) => counts.reduce((max, count) => Math.max(max, count), 0);
  const maxTakes = largest(taking.map(({ takes }) => takes));
  const sentences = [
    `${number(taking.length)} of ${number(counties.length)} counties have a carrier that takes or refers this home${maxTakes === 0 ? '' : `; at most ${maxTakes} in one`}.`,
  ];
  if (open.length > 0)
    sentences.push(
      `In ${number(open.length)}${taking.length === 0 ? '' : ' more'}, up to ${largest(open.map(({ could }) => could))} could once open questions are answered.`,
    );
  const none = counties.length - taking.length - open.length;
  if (none > 0 && none < counties.length) sentences.push(`In ${number(none)}, none would.`);
  return sentences.join(' ');
}
