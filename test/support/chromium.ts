import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The full browser, or the headless one if only that is installed. */
const places = ['/usr/bin/chromium', '/usr/bin/chromium-headless-shell'];
const path = process.env['LEEWARD_TEST_CHROMIUM'] ?? places.find((each) => existsSync(each)) ?? places[0]!;
const isRequired = process.env['LEEWARD_REQUIRE_SERVICES'] === '1';

/**
 * True if page tests can run, or must run. Without a browser, and unless one is required, they are skipped with a note.
 */
export const hasChromium = existsSync(path) || isRequired;
if (!hasChromium)
  console.log(`skipped: no ${path} to open a page in (apt-get install chromium, or set LEEWARD_TEST_CHROMIUM)`);

/** Features the driver disables. The browser reads only the last of two such lists, which is ours. */
const offForTheDriver = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'LensOverlay'],
  ...['HttpsFirstBalancedModeAutoEnable', 'MediaRouter', 'PaintHolding', 'ThirdPartyStoragePartitioning'],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled'],
  'PreconnectToSearch',
];
/**
 * Pages of the browser window, invisible here, each with a process for every opened page (as expensive as our page),
 * and a spare process for the next page.
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
