import { alertLevels, hazardKinds } from '../events/hazard-event.ts';
import type { ListField } from './list-field.ts';

/** Half the circumference of the Earth and a bit, in miles. */
const MAX_MILES = 12_500;
/** 300 years. */
const MAX_HOURS = 2_630_000;
const MAX_DAYS = 109_600;

/**
 * The list of events that every line of business has. The host gives the events, not the applicant; the engine derives the
 * fields of an item from an event and the home. An event that begins after the time of the request is not an item.
 */
export const eventList: ListField = {
  name: 'events',
  label: 'events',
  itemLabel: 'event',
  description: 'Storms, earthquakes, fires and other events that are known at the time of the request.',
  maxItems: 1_000,
  isFromHost: true,
  fields: [
    {
      name: 'kind',
      kind: 'word',
      label: 'kind',
      description: 'Kind of the event; hosts add kinds x_….',
      words: hazardKinds,
      isOpen: true,
    },
    {
      name: 'alert',
      kind: 'word',
      label: 'alert',
      description: 'The strongest alert in force.',
      words: alertLevels,
    },
    {
      name: 'magnitude',
      kind: 'number',
      label: 'magnitude',
      description: 'Magnitude of an earthquake, category of a hurricane, EF number of a tornado.',
      min: 0,
      max: 1_000,
      isDecimal: true,
    },
    {
      name: 'latitude',
      kind: 'number',
      label: 'latitude',
      description: 'Latitude of the position of the event.',
      unit: 'degrees',
      min: -90,
      max: 90,
      isDecimal: true,
    },
    {
      name: 'longitude',
      kind: 'number',
      label: 'longitude',
      description: 'Longitude of the position of the event; west of Greenwich it is negative.',
      unit: 'degrees',
      min: -180,
      max: 180,
      isDecimal: true,
    },
    {
      name: 'miles_from_home',
      kind: 'number',
      label: 'distance from the home',
      description: 'Distance of the event from the home.',
      unit: 'miles',
      min: 0,
      max: MAX_MILES,
      isDecimal: true,
    },
    {
      name: 'miles_from_county',
      kind: 'number',
      label: 'distance from the county',
      description: 'Distance of the event from the nearest part of the county of the home.',
      unit: 'miles',
      min: 0,
      max: MAX_MILES,
      isDecimal: true,
    },
    {
      name: 'miles_from_state',
      kind: 'number',
      label: 'distance from the state',
      description: 'Distance of the event from the nearest part of the state of the home.',
      unit: 'miles',
      min: 0,
      max: MAX_MILES,
      isDecimal: true,
    },
    {
      name: 'covers_home',
      kind: 'flag',
      label: 'covers the home',
      description: 'True if the area, the counties or the states of the event contain the home.',
    },
    {
      name: 'ongoing',
      kind: 'flag',
      label: 'continues',
      description: 'True from the start of the event until its end.',
    },
    {
      name: 'hours_since_start',
      kind: 'number',
      label: 'time since the start',
      description: 'Hours since the event began.',
      unit: 'hours',
      min: 0,
      max: MAX_HOURS,
      isDecimal: true,
    },
    {
      name: 'hours_since_end',
      kind: 'number',
      label: 'time since the end',
      description: 'Hours since the event ended; 0 while it continues.',
      unit: 'hours',
      min: 0,
      max: MAX_HOURS,
      isDecimal: true,
    },
    {
      name: 'days_since_start',
      kind: 'number',
      label: 'days since the start',
      description: 'Calendar days, in the time zone of the state, since the day on which the event began.',
      unit: 'days',
      min: 0,
      max: MAX_DAYS,
    },
    {
      name: 'quoted_before',
      kind: 'flag',
      label: 'the home was quoted before the event',
      description: 'True if quoted_on is before the day on which the event began, in the time zone of the state.',
    },
  ],
};
