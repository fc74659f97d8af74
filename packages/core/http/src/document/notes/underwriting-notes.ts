import { type OperationNotes, only } from '../operation-note.ts';
import { decisionExamples } from './decision-examples.ts';

const ruleSets = {
  description:
    'What verdicts come from, for a page or a program that judges with the engine itself. The scope `rules` is in no token that does not name it.',
  request: only('There is nothing to say', {}),
  answer: only('One carrier', {
    as_of: '2026-11-20T12:00:00.000Z',
    organization_id: null,
    carriers: [
      {
        carrier_key: 'pecan_grove',
        carrier: 'Pecan Grove Exchange',
        source: 'catalog',
        versions: [
          {
            version: '2026.1',
            sha256: '1546a9d7b15b5e217635d2442da7dffd6883946f7e46929c675a6ef38cde9902',
            rule_set: { format: 1, carrier: { key: 'pecan_grove', name: 'Pecan Grove Exchange' }, line: 'home' },
          },
        ],
        appointed_for: null,
      },
    ],
  }),
};

export const underwritingNotes: OperationNotes = {
  underwriteHome: { answer: decisionExamples },
  underwriteHomeForOrganization: { answer: decisionExamples },
  readHomeRuleSets: ruleSets,
  readHomeRuleSetsOfOrganization: ruleSets,
};
