import { formatCoastAnswer } from '@leeward/coast';
import { coastAnswerToGeoJson } from '@leeward/coast/geojson';
import { writeDistance } from '@leeward/http';
import type { Command } from 'commander';
import type { Terminal } from '../terminal.ts';
import { placeOfWords, tellPlace } from './find-place.ts';
import { openCoast, orSay } from './open-coast.ts';

interface NearOptions {
  readonly coast: string;
  readonly index?: string;
  readonly geojson?: boolean;
  readonly json?: boolean;
}

/** `leeward coast near`: the nearest shore, as text, JSON, or on a map. */
export function coastNearCommand(coast: Command, terminal: Terminal): void {
  coast
    .command('near')
    .description('The nearest point of the shore, from a point or an address.')
    .argument('<place...>', 'latitude and longitude, or an address in one line')
    // "-14.3, -170.7" is a place.
    .allowUnknownOption()
    .option('--coast <definition>', 'tidal, ocean, ocean_narrow, ocean_wide or great_lakes', 'tidal')
    .option('--index <file>', 'an index or shoreline of one’s own (default the shipped coastline)')
    .option('--geojson', 'print the home, the coast point, the line and the circle of accuracy')
    .option('--json', 'print what the HTTP API would answer')
    .action((words: string[], options: NearOptions) => orSay(() => near(words, options, terminal)));
}

async function near(words: readonly string[], options: NearOptions, terminal: Terminal): Promise<void> {
  const place = await placeOfWords(words, terminal);
  const answer = openCoast(options.index, terminal).nearest(place, options.coast);
  tellPlace(place, terminal);
  if (options.geojson) terminal.write(`${JSON.stringify(coastAnswerToGeoJson(answer), null, 2)}\n`);
  else if (options.json) terminal.write(`${JSON.stringify(writeDistance(answer, place, options.coast), null, 2)}\n`);
  else terminal.write(`${formatCoastAnswer(answer, place)}\n`);
}
