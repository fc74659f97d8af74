import type { OperationNotes } from '../operation-note.ts';
import { distanceNotes } from './distance-notes.ts';
import { operationalNotes } from './operational-notes.ts';
import { quotingNotes } from './quoting-notes.ts';
import { underwritingNotes } from './underwriting-notes.ts';

/** Notes by `operationId`. */
export const operationNotes: OperationNotes = {
  ...underwritingNotes,
  ...distanceNotes,
  ...quotingNotes,
  ...operationalNotes,
};
