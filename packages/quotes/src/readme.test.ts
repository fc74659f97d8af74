import { join } from 'node:path';
import { testReadme } from '../../../test/support/readme-examples.ts';

testReadme(join(import.meta.dirname, '..'), 5);
