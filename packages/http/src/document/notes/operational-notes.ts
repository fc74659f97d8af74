import { type OperationNotes, only } from '../operation-note.ts';

export const operationalNotes: OperationNotes = {
  health: {
    description: 'Asks nothing of anybody else: a process that answers is up.',
    answer: only('Up', { status: 'ok' }),
  },
  readiness: {
    description:
      'Asks each part that the service stands on, each within two seconds. 503 names the parts that are out of reach, or `unwritable` because a disk is full. `warnings`, where there are some, name a risk that somebody should know of: personal data kept without a key.',
    answer: only('Ready', { status: 'ready', checks: { database: 'ok', quotes: 'ok' } }),
  },
  document: {
    description:
      'OpenAPI 3.1, out of the schemas that validate and answer. It names what is mounted here and nothing else.',
    answer: only('How it begins', { openapi: '3.1.0', info: { title: 'Leeward', version: '1.0.0' }, paths: {} }),
  },
  metrics: {
    answer: only(
      'One of the metrics',
      '# HELP leeward_http_requests_in_flight Requests that are not yet answered.\n# TYPE leeward_http_requests_in_flight gauge\nleeward_http_requests_in_flight 1\n',
    ),
  },
  docs: {
    description: 'A page for people: one file, no script, nothing fetched from elsewhere.',
    answer: only('How it begins', '<!doctype html>'),
  },
};
