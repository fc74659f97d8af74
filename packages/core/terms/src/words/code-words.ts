/**
 * The one table of the words for codes: statuses, outcomes, operators, sources, values. The page, the command line, reports and
 * messages take their words from here. Labels of fields belong to their fields; `labelOf` of the engine finds them.
 */
export const codeWords = {
  /** Statuses of verdicts, with those of lists and books. */
  status: {
    eligible: 'eligible',
    referral: 'referral',
    needs_information: 'needs information',
    ineligible: 'ineligible',
    not_offered: 'not offered',
    not_judged: 'not evaluated',
    invalid: 'invalid',
    inconsistent: 'contradictory',
  },
  /** Outcomes of rules, after the name of a rule or carrier. */
  ruleOutcome: {
    decline: 'declines',
    refer: 'refers',
    require: 'requires',
    offer: 'offers terms',
    inform: 'informs',
  },
  truth: { true: 'yes', false: 'no', undecided: 'not decided' },
  /** Between a label and a value. */
  operator: {
    equal: 'is',
    notEqual: 'is not',
    in: 'is one of',
    notIn: 'is not one of',
    contains: 'contains',
    doesNotContain: 'does not contain',
    lessThan: 'is less than',
    lessThanInclusive: 'is at most',
    greaterThan: 'is more than',
    greaterThanInclusive: 'is at least',
    inRanges: 'is one of',
    notInRanges: 'is not one of',
    within: 'is within',
    notWithin: 'is not within',
    entirelyWithin: 'is entirely within',
    notEntirelyWithin: 'is not entirely within',
  },
  /** Precision of a located address. */
  precision: {
    exact: 'the point given',
    rooftop: 'the building',
    parcel: 'the parcel',
    interpolated: 'the house number along the street',
    street: 'the middle of the street',
    zip_centroid: 'the center of the ZIP code',
    city_centroid: 'the center of the city',
  },
  /** Shorelines, geocoders and other sources of places and distances. */
  dataset: {
    'osm-us': 'OpenStreetMap shoreline',
    'gshhg-us': 'GSHHG shoreline',
    'noaa-us': 'NOAA shoreline',
    'osm-tidal-rivers': 'OpenStreetMap tidal rivers',
    'osm-possible-rivers': 'OpenStreetMap rivers that may be tidal',
    'gauge-links': 'rivers below tide gauges',
    'noaa-gauges': 'NOAA tide gauges',
    'ticon-gauges': 'TICON tide gauges',
    coordinates: 'the point given',
    coastline: 'the shoreline',
    given: 'as given',
    zip_gazetteer: 'table of ZIP codes',
    address_book: 'the address book',
    us_census: 'the U.S. Census Bureau',
    nominatim: 'Nominatim',
    photon: 'Photon',
    pelias: 'Pelias',
  },
  /** Parts of an address. */
  addressPart: { line1: 'the street', city: 'the city', state: 'the state', zip: 'the ZIP code' },
  /** Definitions of the coast, and layers of shorelines. */
  coast: {
    tidal: 'tidal water',
    ocean: 'the open ocean',
    ocean_narrow: 'ocean 2 miles across',
    ocean_wide: 'ocean 12 miles across',
    great_lakes: 'the Great Lakes',
    mean_high_water: 'coastal mean high water',
  },
  /** Origins of values. */
  evidenceSource: {
    aerial_image: 'aerial image',
    public_record: 'public record',
    loss_report: 'loss report',
    prior_carrier: 'prior carrier',
    data_vendor: 'data vendor',
  },
  notOffered: {
    no_version: 'no rule set for this date',
    no_program: 'no program for this type and place',
    not_appointed: 'not appointed',
  },
  /** Outcomes and states of quoted rates. */
  quoteOutcome: {
    needs_information: 'needs information',
    invalid: 'invalid answer',
    failed: 'no answer',
    timed_out: 'no answer in time',
    unknown_outcome: 'outcome unknown',
    processing: 'waiting for an answer',
    success: 'quoted',
    error: 'no premium',
  },
  /** Reasons for which a quote does not call a carrier. */
  quoteSkip: {
    form_type_not_offered: 'does not offer this form type',
    state_not_offered: 'does not offer it in this state',
    form_type_not_appointed: 'your team is not appointed for this form type',
    state_not_appointed: 'your team is not appointed in this state',
    carrier_not_appointed: 'your team is not appointed',
    in_progress: 'the earlier quote still waits for it',
  },
  rateType: { bindable: 'bindable', quoted: 'quote', indication: 'indication' },
  /** Kinds of reasons, where their name with spaces is not enough. */
  reason: {
    coverage_a: 'Coverage A',
    coverage_b: 'Coverage B',
    coverage_c: 'Coverage C',
    coverage_d: 'Coverage D',
    four_point_inspection: 'four-point inspection',
    home_age: 'age of the home',
    hvac_age: 'age of heating and cooling',
    insurance_to_value: 'insurance to value',
    other_carriers: 'answers of other carriers',
    roof_age: 'age of the roof',
    square_feet: 'living area',
    water_heater_age: 'age of the water heater',
    zipcode: 'ZIP code',
    missing_field: 'missing answer',
    given_alone: 'value given without its pair, so unknown',
  },
  /** Fields outside the vocabulary of a line of business: places, dates and those of quotes. */
  field: {
    insured_email: 'e-mail of the insured',
    insured_date_of_birth: 'date of birth',
    insured_phone: 'telephone',
    assigned_producer_email: 'e-mail of the producer',
    dwelling_a: 'dwelling coverage A',
    square_feet: 'living area',
    roof_year: 'year of the roof',
    zipcode: 'ZIP code',
    roof_option: 'roof covering',
    construction_type_options: 'construction',
    lat: 'latitude',
    lng: 'longitude',
    request_time: 'time of the request',
    event: 'event',
  },
  /** Values of fields and form types, where the value itself is not how people write it. */
  value: {
    'wind only': 'Wind only',
    'x-wind': 'Wind excluded',
    llc: 'LLC',
    pex: 'PEX',
    cpvc: 'CPVC',
    pvc: 'PVC',
    eifs: 'EIFS',
    'a-frame': 'A-frame',
    'aluminum with alumiconn': 'aluminum with AlumiConn',
    'aluminum with copalum': 'aluminum with COPALUM',
    'square d': 'Square D',
    siemens: 'Siemens',
    eaton: 'Eaton',
    'general electric': 'General Electric',
    'cutler-hammer': 'Cutler-Hammer',
    murray: 'Murray',
    ite: 'ITE',
    'federal pacific': 'Federal Pacific',
    zinsco: 'Zinsco',
    sylvania: 'Sylvania',
    challenger: 'Challenger',
    pushmatic: 'Pushmatic',
    'x unshaded': 'X (unshaded)',
    'x shaded': 'X (shaded)',
    ae: 'AE',
    ah: 'AH',
    ao: 'AO',
    ar: 'AR',
    a99: 'A99',
    ve: 'VE',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The kinds of codes that have words. */
export type CodeKind = keyof typeof codeWords;

/**
 * The words for a code, as within a sentence. A code outside the table, such as one that a rule set adds, is written with spaces.
 *
 * @example
 * wordOf('precision', 'zip_centroid'); // 'the center of the ZIP code'
 */
export function wordOf(kind: CodeKind, code: string): string {
  const words: Readonly<Record<string, string>> = codeWords[kind];
  return Object.hasOwn(words, code) ? words[code]! : code.replace(/^x_/, '').replaceAll('_', ' ');
}

/**
 * A value as people write it: `HO3`, `PEX`, `3-tab shingle`.
 *
 * @example
 * writeWord('ho3'); // 'HO3'
 */
export function writeWord(value: string): string {
  return /^([a-z]{2}\d{1,2}|[a-z])$/.test(value) ? value.toUpperCase() : wordOf('value', value);
}

/**
 * A shoreline as people name it: `OpenStreetMap shoreline, 2024`. The version loses a remark in brackets.
 *
 * @example
 * writeDataset({ name: 'osm-us', version: '2024 (roaring-landmask 0.11.0)' }); // 'OpenStreetMap shoreline, 2024'
 */
export function writeDataset({ name, version }: { readonly name: string; readonly version: string }): string {
  return `${wordOf('dataset', name)}, ${version.replace(/ \(.*\)$/, '')}`;
}

/**
 * The text with a capital at its start.
 *
 * @example
 * capitalized('roof type'); // 'Roof type'
 */
export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
