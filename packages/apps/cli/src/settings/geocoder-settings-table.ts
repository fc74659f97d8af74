import { readText } from './read-values.ts';
import { setting } from './setting.ts';

/** Settings of geocoders. `geocoderSettings` reads them together, because they depend on each other. */
export const geocoderSettingsTable = {
  geocoders: setting({
    variable: 'LEEWARD_GEOCODERS',
    option: '--geocoder',
    description:
      'Geocoders in order of use: address_book, census, nominatim, photon, pelias. gazetteer is always last.',
    usual: 'address_book,gazetteer',
    read: readText,
  }),
  geocoder_timeout_ms: setting({
    variable: 'LEEWARD_GEOCODER_TIMEOUT_MS',
    description: 'Maximum time of one geocoder before the next is called.',
    usual: '4000',
    read: readText,
  }),
  census_url: setting({
    variable: 'LEEWARD_CENSUS_URL',
    description: 'Server of the Census Bureau’s geocoder.',
    usual: 'https://geocoding.geo.census.gov',
    secret: 'url',
    read: readText,
  }),
  census_rate: setting({
    variable: 'LEEWARD_CENSUS_RATE',
    description: 'Requests per second; 0 for unlimited.',
    usual: '5',
    read: readText,
  }),
  nominatim_url: setting({
    variable: 'LEEWARD_NOMINATIM_URL',
    description: 'Nominatim server.',
    usual: 'https://nominatim.openstreetmap.org',
    secret: 'url',
    read: readText,
  }),
  nominatim_user_agent: setting({
    variable: 'LEEWARD_NOMINATIM_USER_AGENT',
    description: 'Names the application and how to reach its operator; Nominatim needs it.',
    read: readText,
  }),
  nominatim_rate: setting({
    variable: 'LEEWARD_NOMINATIM_RATE',
    description: 'Requests per second, 0 for unlimited; the public server allows one.',
    usual: '1',
    read: readText,
  }),
  nominatim_authorization: setting({
    variable: 'LEEWARD_NOMINATIM_AUTHORIZATION',
    description: 'Sent to it as Authorization.',
    secret: 'whole',
    read: readText,
  }),
  photon_url: setting({
    variable: 'LEEWARD_PHOTON_URL',
    description: 'Photon server; needed where photon is among the geocoders.',
    secret: 'url',
    read: readText,
  }),
  photon_rate: setting({
    variable: 'LEEWARD_PHOTON_RATE',
    description: 'Requests per second; 0 for unlimited.',
    usual: '10',
    read: readText,
  }),
  photon_authorization: setting({
    variable: 'LEEWARD_PHOTON_AUTHORIZATION',
    description: 'Sent to it as Authorization.',
    secret: 'whole',
    read: readText,
  }),
  pelias_url: setting({
    variable: 'LEEWARD_PELIAS_URL',
    description: 'Pelias server; needed where pelias is among the geocoders.',
    secret: 'url',
    read: readText,
  }),
  pelias_rate: setting({
    variable: 'LEEWARD_PELIAS_RATE',
    description: 'Requests per second; 0 for unlimited.',
    usual: '10',
    read: readText,
  }),
  pelias_api_key: setting({
    variable: 'LEEWARD_PELIAS_API_KEY',
    description: 'Sent to it as api_key.',
    secret: 'whole',
    read: readText,
  }),
  pelias_attribution: setting({
    variable: 'LEEWARD_PELIAS_ATTRIBUTION',
    description: 'Attribution that its data’s licences require with each answer.',
    read: readText,
  }),
} as const;
