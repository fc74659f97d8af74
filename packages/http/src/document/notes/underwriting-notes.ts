import { type OperationNotes, only } from '../operation-note.ts';
import { decisionExamples } from './decision-examples.ts';

const announced = {
  description: 'Announced: behind its token it answers 501 `coming_soon`, whatever is sent.',
  request: only('Not settled yet', {}),
};

export const underwritingNotes: OperationNotes = {
  underwriteHome: { answer: decisionExamples },
  underwriteHomeForOrganization: { answer: decisionExamples },
  underwriteCondo: announced,
  underwriteCondoForOrganization: announced,
  underwriteFlood: announced,
  underwriteFloodForOrganization: announced,
};
