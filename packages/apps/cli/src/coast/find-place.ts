import { type FoundPlace, findPlace } from '@leeward/http/distance';
import { Problem } from '@leeward/http/problem';
import { CommandError } from '../command-error.ts';
import { openGeocoder } from '../serve/open-distances.ts';
import type { Terminal } from '../terminal.ts';
import { distanceSettings } from './distance-settings.ts';

/** Two numbers, or an address. */
export async function placeOfWords(words: readonly string[], terminal: Terminal): Promise<FoundPlace> {
  const option = words.find((word) => /^-+[a-z]/i.test(word));
  if (option !== undefined)
    throw new CommandError(`${JSON.stringify(option.slice(0, 60))} is not an option of this command.`);
  const text = words.join(' ').trim();
  const numbers = /^(-?\d+(?:\.\d+)?)[\s,]+(-?\d+(?:\.\d+)?)$/.exec(text);
  const request = numbers ? { lat: Number(numbers[1]), lng: Number(numbers[2]) } : { address: text };
  const ports = numbers ? {} : await openGeocoder(distanceSettings(terminal));
  return findPlace(request, ports).catch((error: unknown) => {
    throw error instanceof Problem ? new CommandError(describeProblem(error)) : error;
  });
}

/** Reports on standard error how a place was found, with warnings. */
export function writePlace(place: FoundPlace, terminal: Terminal): void {
  const { matchedAddress, precision, errorRadiusMeters, source, attribution, warnings } = place;
  if (matchedAddress !== undefined) {
    terminal.writeError(`${matchedAddress}: ${precision}, within ${Math.round(errorRadiusMeters)} m (${source})\n`);
    if (attribution !== undefined) terminal.writeError(`${attribution}\n`);
  }
  for (const { message } of warnings) terminal.writeError(`${message}\n`);
}

function describeProblem({ message, options: { members, cause } }: Problem): string {
  const candidates = (members?.['candidates'] ?? []) as readonly { readonly address: string }[];
  const lines = [message, ...candidates.map(({ address }) => `  ${address}`)];
  // Geocoders' errors hold neither URLs nor keys.
  if (cause instanceof Error) lines.push(cause.message);
  return lines.join('\n');
}
