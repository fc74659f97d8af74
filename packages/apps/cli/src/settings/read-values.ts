/** Parsers of settings. Each throws a `RangeError` whose message continues after the name of the setting. */

export function readText(text: string): string {
  return text;
}

export function readOneOf<const Word extends string>(words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const match = words.find((word) => word === text);
    if (match === undefined) throw new RangeError(`is ${JSON.stringify(text)}; give one of: ${words.join(', ')}.`);
    return match;
  };
}

/** A whole number within bounds, both among them. */
export function readWhole(min: number, max: number, what: string): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) {
      throw new RangeError(`is ${JSON.stringify(text)}; give ${what}.`);
    }
    return value;
  };
}

/** A URL with one of the schemes. Messages do not repeat other URLs, which may contain a password. */
export function readUrl(...schemes: readonly string[]): (text: string) => string {
  const pattern = new RegExp(`^(?:${schemes.join('|')}):`);
  const shownSchemes = schemes
    .filter((scheme) => scheme !== 'postgresql' && scheme !== 'rediss')
    .map((each) => `${each}:`);
  const list =
    shownSchemes.length > 1 ? `${shownSchemes.slice(0, -1).join(', ')} or ${shownSchemes.at(-1)}` : shownSchemes[0];
  return (text) => {
    if (!pattern.test(text)) throw new RangeError(`begins with ${list}, and this one does not.`);
    return text;
  };
}
