import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of invented carriers: carried by the published package, read from the fixtures in the workspace. */
export function demoCarriersFolder(): string {
  const published = fileURLToPath(new URL('./demo/carriers', import.meta.url));
  return existsSync(published) ? published : fileURLToPath(new URL('../../../../fixtures/carriers', import.meta.url));
}
