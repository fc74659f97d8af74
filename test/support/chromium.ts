import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The browser that people have, or the one without a window of its own where only that is installed. */
const places = ['/usr/bin/chromium', '/usr/bin/chromium-headless-shell'];
const path = process.env['LEEWARD_TEST_CHROMIUM'] ?? places.find((each) => existsSync(each)) ?? places[0]!;
const isRequired = process.env['LEEWARD_REQUIRE_SERVICES'] === '1';

/** Whether tests of pages can run, or must: where there is no browser and none is required, they say so and are skipped. */
export const hasChromium = existsSync(path) || isRequired;
if (!hasChromium)
  console.log(`skipped: no ${path} to open a page in (apt-get install chromium, or set LEEWARD_TEST_CHROMIUM)`);

/** What the driver turns off by itself: of two such lists the browser reads the last, which is ours. */
const offForTheDriver = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'LensOverlay'],
  ...['HttpsFirstBalancedModeAutoEnable', 'MediaRouter', 'PaintHolding', 'ThirdPartyStoragePartitioning'],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled'],
  'PreconnectToSearch',
];
/**
 * Pages of the browser's own window, which nobody sees here, each with a program of its own for every page that is opened (they cost
 * as much as our page), and a process kept ready for a page that may never come.
 */
const offForUs = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'PreloadTopChromeWebUI'],
  'SpareRendererForSitePerProcess',
];

export function openChromium(): Promise<Browser> {
  const still = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
  const headless = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-software-rasterizer', '--disable-quic'];
  const off = `--disable-features=${[...offForTheDriver, ...offForUs].join(',')}`;
  return chromium.launch({ executablePath: path, args: [...headless, '--no-first-run', ...still, off] });
}
