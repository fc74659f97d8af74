import type { CoastAnswer, Shoreline } from '@leeward/coast';
import type { Town } from './labels.ts';
import type { SampledCoast } from './sample-shore.ts';

/** What a picture is of. */
export interface PictureSubject extends SampledCoast {
  readonly answer: CoastAnswer;
  /** How far off the home may be, in metres. */
  readonly errorRadiusMeters: number;
  /** Towns to name where there is room, the more important first. */
  readonly towns: readonly Town[];
  /** Tidal rivers beyond the drawn shores. */
  readonly rivers: readonly Shoreline[];
}
