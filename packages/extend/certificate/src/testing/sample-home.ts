import { buildCoastIndex, createCoast, type Shoreline } from '@leeward/coast';
import { type Catalog, createCatalog } from '@leeward/engine';
import { type IssueOptions, issueCertificate } from '../issue/issue-certificate.ts';
import { createCertificateKey, createKeySigner } from '../keys/certificate-keys.ts';
import { createLetters } from '../letter/write-letters.ts';

/** One straight shore east of Miami. */
const shoreline: Shoreline = {
  name: 'small',
  version: '1',
  attribution: 'made up by <us>',
  layerNames: ['tidal', 'ocean'],
  shoreNames: ['Atlantic'],
  water: 'right',
  accuracy: { radiusMeters: [100, 100], method: 'made up' },
  coverage: [{ west: -81, south: 25, east: -80, north: 26 }],
  positions: Float64Array.of(-80.1, 25.9, -80.1, 25.1),
  lineStarts: Uint32Array.of(0, 2),
  layers: Uint16Array.of(3, 3),
  shores: Uint8Array.of(0, 0),
};
export const smallCoast = createCoast(buildCoastIndex(shoreline));

const rule = (id: string, outcome: string, fact: string, operator: string, value: unknown, message: string) => ({
  id,
  outcome,
  code: `x_${id}`,
  when: { all: [{ fact, operator, value }] },
  message,
});

/** One carrier declines old roofs and the shore, one needs the claims, one takes every home. */
export const sampleCatalog: Catalog = createCatalog(
  [
    {
      key: 'bluestem',
      name: 'Bluestem <Mutual> & Co',
      rules: [
        rule('roof', 'decline', 'roof_age', 'greaterThan', 15, 'A roof may be 15 years old; this one is {roof_age}.'),
        rule('shore', 'decline', 'distance_to_ocean_miles', 'lessThan', 10, 'Less than 10 miles from the ocean.'),
      ],
    },
    {
      key: 'quarry',
      name: 'Quarry Home',
      rules: [rule('claims', 'refer', 'total_claims', 'greaterThan', 2, 'Claims: {total_claims}.')],
    },
    {
      key: 'heron',
      name: 'Heron',
      rules: [rule('survey', 'require', 'roof_age', 'greaterThan', 10, 'A roof inspection.')],
    },
  ].map(({ key, name, rules }) => ({
    file: {
      format: 1,
      carrier: { key, name },
      line: 'home',
      version: '2026.1.0',
      effective: { from: '2020-01-01', until: null },
      rules: [],
      programs: [{ id: 'fl', policy_types: ['ho3'], states: ['fl'], rules }],
    },
  })),
);

export const sampleHome = {
  state: 'fl',
  county: 'miami-dade',
  policy_type: 'ho3',
  roof_age: { value: 22, as_of: '2026-05-01', source: 'inspection' },
  roof_type: '3-tab shingle',
  lat: 25.5,
  lng: -80.15,
} as const;

export const sampleKey = createCertificateKey();

/** Options of a certificate at noon of a fixed day. */
export const sampleOptions: IssueOptions = {
  decider: sampleCatalog,
  now: new Date('2026-11-20T12:00:00Z'),
  traceId: 'trace-1',
  organizationId: null,
  distance: { coast: smallCoast },
  signer: createKeySigner([sampleKey]),
};

/** With letters. */
export const issueSample = (options: Partial<IssueOptions> = {}) =>
  issueCertificate(sampleHome, {
    ...sampleOptions,
    issuer: 'Palmetto & Sons',
    preparedFor: 'Pat "Doe"',
    reference: 'PC-1042',
    writeLetters: createLetters(),
    ...options,
  });
