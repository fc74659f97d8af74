import type { OperationNotes } from '../operation-note.ts';
import { administrationNotes } from './administration-notes.ts';
import { distanceNotes } from './distance-notes.ts';
import { operationalNotes } from './operational-notes.ts';
import { quoteOperatorNotes } from './quote-operator-notes.ts';
import { quotingNotes } from './quoting-notes.ts';
import { ruleSetNotes } from './rule-set-notes.ts';
import { underwritingNotes } from './underwriting-notes.ts';
import { webhookNotes } from './webhook-notes.ts';

/** Notes by `operationId`. */
export const operationNotes: OperationNotes = {
  ...underwritingNotes,
  ...distanceNotes,
  ...quotingNotes,
  ...quoteOperatorNotes,
  ...webhookNotes,
  ...administrationNotes,
  ...ruleSetNotes,
  ...operationalNotes,
};
