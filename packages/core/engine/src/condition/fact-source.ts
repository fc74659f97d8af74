import type { Knowledge } from '../request/knowledge.ts';
import type { Property } from '../request/property.ts';
import type { PropertyLocation } from '../request/property-location.ts';
import type { WrittenItem } from '../vocabulary/list-field.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { HomeMoment } from './event-items.ts';

/** The fields and lists of one property. */
export interface FactSource {
  readonly vocabulary: Vocabulary;
  /** `YYYY-MM-DD`. */
  readonly effectiveDate: string;
  /** By position in the vocabulary's fields. */
  knowledgeOf(field: number): Knowledge;
  /** Dates and origins of values, by name of the field, set or list. @default unknown */
  readonly evidence?: Property['evidence'];
  /** Undefined if unknown. */
  listOf(name: string): readonly WrittenItem[] | undefined;
  /** Known aggregates of unknown lists, by name. @default unknown */
  readonly aggregates?: Property['aggregates'];
  /** The home at the time of the request, for events. Without it, events are unknown. */
  momentOf?(): HomeMoment;
  /** @default unknown */
  readonly location?: PropertyLocation | undefined;
}
