import { type CoastAnswerFields, presentCoastAnswer } from '@leeward/coast';
import type { FoundPlace } from '@leeward/http/distance';
import { wordOf, writeDataset } from '@leeward/terms';
import { distanceTexts } from './draw-map.ts';
import { degreesText } from './furniture.ts';

/** The words round a map. */
export interface PictureWords {
  readonly title: string;
  readonly subtitle: string;
  readonly caption: readonly string[];
  readonly attribution: readonly string[];
}

export interface WordsSubject {
  readonly answer: CoastAnswerFields;
  readonly place: FoundPlace;
  readonly definition: string;
  /** Title of the map. Default: the address or the coordinates. */
  readonly title: string | undefined;
}

export function pictureWords({ answer, place, definition, title }: WordsSubject): PictureWords {
  const presentation = presentCoastAnswer(answer, place);
  const { latitude, longitude } = answer.point;
  const point = `${degreesText(latitude, 'N', 'S')} ${degreesText(longitude, 'E', 'W')}`;
  const called = title ?? place.matchedAddress;
  const [american, metric] = distanceTexts(answer.distanceMeters);
  const between = [presentation.range_meters.min, presentation.range_meters.max].map(
    (meters) => distanceTexts(meters)[0],
  );
  const caption = [
    `${american} (${metric}) ${presentation.compass_point} to the nearest shore that counts as ${wordOf('coast', definition)}, bearing ${presentation.bearing_degrees}. The true distance lies between ${between[0]} and ${between[1]}.`,
  ];
  const radius = Math.round(answer.accuracyMeters).toLocaleString('en-US');
  const ofPlace =
    place.errorRadiusMeters > 0
      ? ` The place is known to ${Math.round(place.errorRadiusMeters).toLocaleString('en-US')} m (dashed).`
      : '';
  caption.push(`The dotted circle, ${radius} m, holds the shore in 95 of 100 places.${ofPlace}`);
  if (answer.isTidalRiverPossible) {
    caption.push(
      `Tidal water that the drawn shore does not show may be nearer: by ${wordOf('dataset', answer.decidedBy.min)}.`,
    );
  }
  return {
    title: called ?? point,
    subtitle: called === undefined ? 'Distance to the coast' : point,
    caption,
    attribution: [`Shoreline: ${writeDataset(answer.dataset)}. ${answer.dataset.attribution}.`.replace('..', '.')],
  };
}

/** Wraps text into lines of at most `letters` characters. */
export function wrapped(text: string, letters: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= letters) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/**
 * Texts of a legend.
 *
 * @example
 * legendOf(['1 mile']); // ['within 1 mile']
 */
export function legendOf(bandLabels: readonly string[]): string[] {
  return bandLabels.map((label) => `within ${label}`);
}
