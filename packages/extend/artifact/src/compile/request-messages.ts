import { parseRequest, type Vocabulary } from '@leeward/engine';
import { quoteValue } from '@leeward/terms';

/** A value that no word, number, date or place resembles. */
const STRANGE = '§¤';
/** The date of all probes. Its next year is in the messages of years only. */
const DATE = '2150-06-01';
const NEXT_YEAR = '2151';
const HINT = / Did you mean "[^"]*"\?$/;

/** Messages of faults by code, with `{value}` and `{hint}` in their places. */
export type Messages = Record<string, string>;

/**
 * Writes the messages of requests as templates. `parseRequest` itself writes them for faulty values, so that the readers
 * of an artifact report the same as HTTP.
 */
export class RequestMessages {
  readonly #vocabulary: Vocabulary;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  ofText(name: string): Messages {
    return this.#learn(name, [17, STRANGE, '2999-01-01', '\ud800', 'x'.repeat(300)]);
  }

  ofState(): Messages {
    return { ...this.ofText('state'), ...this.#learn('state', [undefined, 'Texs']) };
  }

  ofWords(name: string, words: readonly string[]): Messages {
    return this.#learn(name, [17, `${words[0]}q`]);
  }

  /** For flags, dates and ZIP codes. */
  ofForm(name: string): Messages {
    return this.#learn(name, [17, [], STRANGE, '1700-01-01', '2999-01-01']);
  }

  ofNumber(name: string, { min, max }: { readonly min: number; readonly max: number }): Messages {
    return this.#learn(name, [true, STRANGE, Math.floor(min) + 0.5, max + 1, min - 1]);
  }

  /** `swapped` is the message of a latitude that could be a longitude. @param other the coordinate that has to be given too */
  ofDegrees(name: string, other: string): Messages {
    const { out_of_range: swapped = '' } = this.#learn(name, [100]);
    return {
      ...this.ofNumber(name, { min: -1000, max: 1000 }),
      ...this.ofPair(other, name),
      ...(swapped === '' ? {} : { swapped }),
    };
  }

  /** `year` is the message of a number that the schema accepts although it is not a year. */
  ofYear(name: string): Messages {
    const { out_of_range: year = '' } = this.#learn(name, [900]);
    return { ...this.#learn(name, [true, STRANGE, 1.5, 10_000]), year };
  }

  ofSet(name: string, words: readonly string[]): Messages {
    const { invalid_type: item = '' } = this.#learn(name, [[17]]);
    const tooLong = Array.from({ length: 10 * words.length + 1 }, () => words[0]);
    return { ...this.#learn(name, [17, [`${words[0]}q`], tooLong]), invalid_item: item };
  }

  /** The message of `absent` if only `present` is given. */
  ofPair(present: string, absent: string): Messages {
    const message = this.#faults({ [present]: STRANGE }).find(({ path }) => path === `/${absent}`)?.message;
    return message === undefined ? {} : { required_with: message };
  }

  ofDistances(name: string, other: string): Messages {
    const faults = this.#faults({ [other]: 1, [name]: 1 });
    const fault = faults.find(({ code }) => code === 'distance_given_twice')!;
    const [column] = [fault.path.slice(1)];
    const template = fault.message.replace(column!, '{column}').replace(column === name ? other : name, '{other}');
    return { [fault.code]: template };
  }

  /** The messages of a field for some faulty values, each code once. */
  #learn(name: string, probes: readonly unknown[]): Messages {
    const messages: Messages = {};
    for (const probe of probes) {
      const fault = this.#faults({ [name]: probe }).find(({ path }) => path === `/${name}` || path === `/${name}/0`);
      if (fault && !Object.hasOwn(messages, fault.code)) messages[fault.code] = templateOf(fault.message, probe);
    }
    return messages;
  }

  #faults(fields: Readonly<Record<string, unknown>>) {
    const body = { state: 'tx', effective_date: DATE, ...fields };
    const parsed = parseRequest(body, { now: new Date(0), vocabulary: this.#vocabulary });
    return parsed.ok ? [] : parsed.faults;
  }
}

function templateOf(message: string, probe: unknown): string {
  const isItem = Array.isArray(probe) && probe.length === 1;
  const value = quoteValue(isItem ? (probe as readonly unknown[])[0] : probe);
  const length = String((probe as { readonly length?: number } | undefined)?.length);
  return message
    .replace(HINT, '{hint}')
    .replace(NEXT_YEAR, '{next_year}')
    .replace(
      message.includes(value) ? value : ` has ${length} `,
      message.includes(value) ? '{value}' : ' has {length} ',
    );
}
