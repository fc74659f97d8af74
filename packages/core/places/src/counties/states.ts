/** A state, the District of Columbia or a territory. */
export interface State {
  /** Lower case, `tx`. */
  readonly code: string;
  /** `Texas`. */
  readonly name: string;
  /** Two digits, `48`. */
  readonly fips: string;
  /** IANA name, where most of its people live. */
  readonly timeZone: string;
}

const eastern = 'America/New_York';
const central = 'America/Chicago';
const mountain = 'America/Denver';
const pacific = 'America/Los_Angeles';

const rows: readonly (readonly [code: string, name: string, fips: string, timeZone: string])[] = [
  ['al', 'Alabama', '01', central],
  ['ak', 'Alaska', '02', 'America/Anchorage'],
  ['az', 'Arizona', '04', 'America/Phoenix'],
  ['ar', 'Arkansas', '05', central],
  ['ca', 'California', '06', pacific],
  ['co', 'Colorado', '08', mountain],
  ['ct', 'Connecticut', '09', eastern],
  ['de', 'Delaware', '10', eastern],
  ['dc', 'District of Columbia', '11', eastern],
  ['fl', 'Florida', '12', eastern],
  ['ga', 'Georgia', '13', eastern],
  ['hi', 'Hawaii', '15', 'Pacific/Honolulu'],
  ['id', 'Idaho', '16', 'America/Boise'],
  ['il', 'Illinois', '17', central],
  ['in', 'Indiana', '18', 'America/Indiana/Indianapolis'],
  ['ia', 'Iowa', '19', central],
  ['ks', 'Kansas', '20', central],
  ['ky', 'Kentucky', '21', eastern],
  ['la', 'Louisiana', '22', central],
  ['me', 'Maine', '23', eastern],
  ['md', 'Maryland', '24', eastern],
  ['ma', 'Massachusetts', '25', eastern],
  ['mi', 'Michigan', '26', 'America/Detroit'],
  ['mn', 'Minnesota', '27', central],
  ['ms', 'Mississippi', '28', central],
  ['mo', 'Missouri', '29', central],
  ['mt', 'Montana', '30', mountain],
  ['ne', 'Nebraska', '31', central],
  ['nv', 'Nevada', '32', pacific],
  ['nh', 'New Hampshire', '33', eastern],
  ['nj', 'New Jersey', '34', eastern],
  ['nm', 'New Mexico', '35', mountain],
  ['ny', 'New York', '36', eastern],
  ['nc', 'North Carolina', '37', eastern],
  ['nd', 'North Dakota', '38', central],
  ['oh', 'Ohio', '39', eastern],
  ['ok', 'Oklahoma', '40', central],
  ['or', 'Oregon', '41', pacific],
  ['pa', 'Pennsylvania', '42', eastern],
  ['ri', 'Rhode Island', '44', eastern],
  ['sc', 'South Carolina', '45', eastern],
  ['sd', 'South Dakota', '46', central],
  ['tn', 'Tennessee', '47', central],
  ['tx', 'Texas', '48', central],
  ['ut', 'Utah', '49', mountain],
  ['vt', 'Vermont', '50', eastern],
  ['va', 'Virginia', '51', eastern],
  ['wa', 'Washington', '53', pacific],
  ['wv', 'West Virginia', '54', eastern],
  ['wi', 'Wisconsin', '55', central],
  ['wy', 'Wyoming', '56', mountain],
  ['as', 'American Samoa', '60', 'Pacific/Pago_Pago'],
  ['gu', 'Guam', '66', 'Pacific/Guam'],
  ['mp', 'Northern Mariana Islands', '69', 'Pacific/Saipan'],
  ['pr', 'Puerto Rico', '72', 'America/Puerto_Rico'],
  ['vi', 'U.S. Virgin Islands', '78', 'America/St_Thomas'],
];

/** States, the District of Columbia, and the five inhabited territories, by FIPS code. */
export const states: readonly State[] = rows.map(([code, name, fips, timeZone]) =>
  Object.freeze({ code, name, fips, timeZone }),
);

/** Postal abbreviations in lower case, in the order of `states`. */
export const stateCodes: readonly string[] = Object.freeze(states.map((state) => state.code));

const inAnyCase = (text: string) =>
  [...text].map((letter) => (letter === ' ' ? ' ' : `[${letter.toUpperCase()}${letter.toLowerCase()}]`)).join('');

/** Pattern of JSON Schema: an abbreviation or name in any case. `findState` accepts more spellings. */
export const statePattern: string = `^(${states.flatMap(({ code, name }) => [inAnyCase(code), inAnyCase(name)]).join('|')})$`;
