import type { AnswerCounts } from '../evaluate/count-answers.ts';

const number = (value: number) => value.toLocaleString('en-US');
const carriers = (count: number) => `${count} ${count === 1 ? 'carrier' : 'carriers'}`;

/** `2 yes · up to 6 more if answered · 5 no`. */
export function describeAnswers({ takes, could, declines }: AnswerCounts): string {
  const open = could === 0 ? [] : [`up to ${could} more if answered`];
  return [`${takes} yes`, ...open, `${declines} no`].join(' · ');
}

/**
 * Counties by whether a carrier would, could or would not take the home.
 * @param missing Number of answers that are missing where most carriers could; undefined until they are known.
 */
export function describeCounties(counties: readonly AnswerCounts[], missing?: number): string {
  const largest = (counts: readonly number[]) => counts.reduce((max, count) => Math.max(max, count), 0);
  const [maxTakes, maxCould] = [
    largest(counties.map(({ takes }) => takes)),
    largest(counties.map(({ could }) => could)),
  ];
  const taking = counties.filter(({ takes }) => takes > 0).length;
  const open = counties.filter(({ takes, could }) => takes === 0 && could > 0).length;
  const none = counties.length - taking - open;
  const sentences: string[] = [];
  if (taking > 0)
    sentences.push(
      `${maxTakes === 1 ? 'A carrier takes or refers' : `Up to ${maxTakes} carriers take or refer`} this home in ${number(taking)} of ${number(counties.length)} counties.`,
    );
  if (maxCould > 0) {
    const place =
      open === 0
        ? ''
        : ` in ${number(open)} ${taking === 0 ? `of ${number(counties.length)} counties` : `other ${open === 1 ? 'county' : 'counties'}`}`;
    const answers =
      missing === undefined || missing === 0
        ? ''
        : `; ${missing === 1 ? '1 answer is' : `${missing} answers are`} missing`;
    sentences.push(
      `Up to ${open === 0 ? `${maxCould} more carriers` : carriers(maxCould)} could take it${place}${answers}.`,
    );
  }
  if (taking === 0 && open === 0)
    sentences.push(
      `No carrier takes this home in ${counties.length === 1 ? 'the county' : `any of ${number(counties.length)} counties`}.`,
    );
  else if (none > 0) sentences.push(`In ${number(none)}, no carrier would.`);
  return sentences.join(' ');
}
