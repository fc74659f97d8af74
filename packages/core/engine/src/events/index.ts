export {
  alertLevels,
  countPositions,
  type HazardEvent,
  hazardEventSchema,
  hazardKinds,
  MAX_AREA_POSITIONS,
  MAX_EVENTS,
  MAX_POSITIONS_OF_ALL,
  type ParsedEvents,
  parseHazardEvents,
} from './hazard-event.ts';
