import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const path = '/usr/bin/chromium';
const isRequired = process.env['LEEWARD_REQUIRE_SERVICES'] === '1';

/** Whether tests of pages can run, or must: where there is no browser and none is required, they say so and are skipped. */
export const hasChromium = existsSync(path) || isRequired;
if (!hasChromium) console.log(`skipped: no ${path} to open a page in (apt-get install chromium)`);

export function openChromium(): Promise<Browser> {
  const still = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
  const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', ...still];
  return chromium.launch({ executablePath: path, args });
}
