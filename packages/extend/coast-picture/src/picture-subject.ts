import type { CoastAnswerFields, Shoreline } from '@leeward/coast';
import type { Town } from './labels.ts';
import type { SampledCoast } from './sample-shore.ts';

export interface PictureSubject extends SampledCoast {
  readonly answer: CoastAnswerFields;
  /** Error radius of the home, in meters. */
  readonly errorRadiusMeters: number;
  /** Towns to label if there is space, important ones first. */
  readonly towns: readonly Town[];
  /** Tidal rivers beyond the drawn shores. */
  readonly rivers: readonly Shoreline[];
}
