/** A collection of test cases by other people, at one version. */
export interface Corpus {
  /** A Git repository. If omitted, the test makes the cases with the tool that `version` names. */
  readonly repository?: string;
  /** The commit; or name and version of the tool. */
  readonly version: string;
  readonly licence: string;
  /** The part of Leeward that its cases test. */
  readonly tests: string;
}

/** All corpora by name. `pinned/<name>` has what is small; `npm run corpora -- fetch` gets the whole of each. */
export const corpora = {
  'parquet-testing': {
    repository: 'https://github.com/apache/parquet-testing',
    version: '1a2a75127be06fc0123f03ebd36c966f7beda27d',
    licence: 'Apache-2.0',
    tests: 'Parquet files of a book',
  },
  'arrow-testing': {
    repository: 'https://github.com/apache/arrow-testing',
    version: '9cfebfef8982fb8612e0a2c59059752bd32321a3',
    licence: 'Apache-2.0',
    tests: 'Arrow files and streams of a book',
  },
  'csv-spectrum': {
    repository: 'https://github.com/maxogden/csv-spectrum',
    version: 'b251546d5ccb79217a61aa8ca623ce573977d7e1',
    licence: 'BSD-2-Clause',
    tests: 'CSV rows',
  },
  'json-test-suite': {
    repository: 'https://github.com/nst/JSONTestSuite',
    version: '1ef36fa01286573e846ac449e8683f8833c5b26a',
    licence: 'MIT',
    tests: 'request bodies, NDJSON rows, rule files',
  },
  usaddress: {
    repository: 'https://github.com/datamade/usaddress',
    version: 'aa7699b53a0843fc443f9e87285b88cbd9eaf50a',
    licence: 'MIT',
    tests: 'parts of an address',
  },
  libpostal: {
    repository: 'https://github.com/openvenues/libpostal',
    version: '4c030d8ff2fcf59c26510f68823c28a2346034d4',
    licence: 'MIT',
    tests: 'parts of an address',
  },
  'standard-webhooks': {
    repository: 'https://github.com/standard-webhooks/standard-webhooks',
    version: 'b2fa7b8719fb75d326b591077f5d1b385cfcdfae',
    licence: 'MIT',
    tests: 'signatures of webhooks',
  },
  geographiclib: {
    repository: 'https://github.com/geographiclib/geographiclib',
    version: 'd7c33bb46f9be183244ad1bddb8842022185b2c8',
    licence: 'MIT',
    tests: 'geodesics, distances to a coast and their bearings',
  },
  'json-rules-engine': {
    repository: 'https://github.com/CacheControl/json-rules-engine',
    version: 'e1f1fda81bb384752531dc29a3817672df51d439',
    licence: 'ISC',
    tests: 'the import of its rules',
  },
  'dmn-tck': {
    repository: 'https://github.com/dmn-tck/tck',
    version: '0dbcaf9b98bc3af4e36d44a7aed95e9e85703a13',
    licence: 'Apache-2.0',
    tests: 'import and export of decision tables',
  },
  schemathesis: {
    version: 'schemathesis 4.32.0',
    licence: 'MIT',
    tests: 'requests and answers of the HTTP API, by `npm run fuzz`',
  },
} as const satisfies Readonly<Record<string, Corpus>>;

export type CorpusName = keyof typeof corpora;
