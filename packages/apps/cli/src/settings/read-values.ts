/** Readers of settings' texts. Each throws a `RangeError` that goes on from the name of what was set. */

export function readText(text: string): string {
  return text;
}

export function readOneOf<const Word extends string>(words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const found = words.find((word) => word === text);
    if (found === undefined) throw new RangeError(`is ${JSON.stringify(text)}; give one of: ${words.join(', ')}.`);
    return found;
  };
}

/** A whole number within bounds, both among them. */
export function readWhole(least: number, most: number, what: string): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most)) {
      throw new RangeError(`is ${JSON.stringify(text)}; give ${what}.`);
    }
    return value;
  };
}

/** A URL of one of the schemes. Of another one nothing is repeated: it may hold a password. */
export function readUrl(...schemes: readonly string[]): (text: string) => string {
  const known = new RegExp(`^(?:${schemes.join('|')}):`);
  const shown = schemes.filter((scheme) => scheme !== 'postgresql' && scheme !== 'rediss').map((each) => `${each}:`);
  const list = shown.length > 1 ? `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}` : shown[0];
  return (text) => {
    if (!known.test(text)) throw new RangeError(`begins with ${list}, and this one does not.`);
    return text;
  };
}
