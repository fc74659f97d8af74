import { join } from 'node:path';
import { expect } from 'vitest';
import { checkedFetch, fetchAsItIs } from './checked-fetch.ts';

// A worker runs tests of both kinds: within a package nobody holds answers against the document.
const journeys = join(import.meta.dirname, '../');
globalThis.fetch = expect.getState().testPath?.startsWith(journeys) ? checkedFetch : fetchAsItIs;
