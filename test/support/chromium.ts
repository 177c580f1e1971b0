import { type Browser, chromium } from 'playwright';
import { findChromium } from '../../scripts/chromium.mjs';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts a browser with an empty profile. Returns and prints the reason if no browser is available. */
export async function startChromium(): Promise<{ browser: Browser } | { browser?: undefined; reason: string }> {
  const { binary, reason = 'no Chromium' } = await findChromium();
  if (binary === undefined) {
    console.warn(`Browser tests are skipped: ${reason}`);
    return { reason };
  }
  return { browser: await chromium.launch({ executablePath: binary, headless: true, args: FLAGS }) };
}
