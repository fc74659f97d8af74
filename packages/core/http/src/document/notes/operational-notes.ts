import { type OperationNotes, only } from '../operation-note.ts';

export const operationalNotes: OperationNotes = {
  readToken: {
    description: 'For every valid token, whatever its scopes. A page can show people where they are signed in.',
    answer: only('A token of a team', {
      token_id: '01jd4v3x9m8k7h2q5t6w0y1z2a',
      environment: 'live',
      organization: { organization_id: '01jd4v3x9m8k7h2q5t6w0y1z2b', name: 'Palmetto Insurance Group' },
      team: { team_id: '01jd4v3x9m8k7h2q5t6w0y1z2c', name: 'Personal lines' },
      scopes: ['quote'],
    }),
  },
  health: {
    description: 'Calls no other part: a process that answers is up.',
    answer: only('Up', { status: 'ok' }),
  },
  readiness: {
    description:
      'Asks each part that the service stands on, each within two seconds. 503 names the parts that are out of reach, or `unwritable` because a disk is full. `warnings`, where there are some, name a risk that somebody should know of: personal data kept without a key.',
    answer: only('Ready', { status: 'ready', checks: { database: 'ok', quotes: 'ok' } }),
  },
  document: {
    description:
      'OpenAPI 3.1, generated from the schemas that validate requests. It lists only what this service mounts.',
    answer: only('How it begins', { openapi: '3.1.0', info: { title: 'Leeward', version: '1.0.0' }, paths: {} }),
  },
  docs: {
    description: 'A page for people: one file, no script, nothing fetched from elsewhere.',
    answer: only('How it begins', '<!doctype html>'),
  },
};
