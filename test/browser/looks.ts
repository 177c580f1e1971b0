import type { Page } from 'playwright';
import { expect } from 'vitest';
import { complaints } from './accessibility.js';
import { overflow } from './console-page.js';

/** Variants of a page: wide and narrow, light and dark. */
export const VARIANTS = [
  { width: 1440, colorScheme: 'light' },
  { width: 1440, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const;

/**
 * Expects that the open page is accessible and fits the screen after it has loaded. SCREENSHOTS names a folder for
 * screenshots.
 */
export async function expectAccessible(page: Page, look: (typeof VARIANTS)[number]): Promise<void> {
  await expect.poll(() => page.locator('#page [aria-busy="true"]').count()).toBe(0);
  await page.setViewportSize({ width: look.width, height: 900 });
  await page.emulateMedia({ colorScheme: look.colorScheme });
  const path = new URL(page.url()).pathname;
  expect([path, look, await complaints(page), await overflow(page)]).toEqual([path, look, [], 0]);
  const folder = process.env.SCREENSHOTS;
  if (folder === undefined) return;
  const name = `${path.slice(1).replaceAll(/\W/g, '-')}-${look.width}-${look.colorScheme}.png`;
  await page.screenshot({ path: `${folder}/${name}`, fullPage: true });
}
