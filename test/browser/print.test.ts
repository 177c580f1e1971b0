import { getCoverage } from '@healthd/contract';
import { describe, expect, it } from 'vitest';
import { startDaemon } from '../support/daemon.js';
import { consoleTests } from './console-tests.js';

/** Width of a landscape A4 sheet without its 10 mm margins, in CSS pixels. */
const SHEET_WIDTH = Math.floor(((297 - 20) / 25.4) * 96);

describe('the coverage on paper', () => {
  const tests = consoleTests(() => startDaemon());

  it('prints every provider and metric within a landscape sheet, in light colors', async () => {
    const coverage = await tests.daemon.client.call(getCoverage, {});
    const { providers } = coverage;
    const series = coverage.timeseries.flatMap(({ metrics }) => metrics);
    const fields = [
      coverage.workout_fields,
      coverage.sleep_fields,
      coverage.menstrual_cycle_fields,
      coverage.health_scores,
    ];
    const page = await tests.open('/coverage', { width: SHEET_WIDTH, colorScheme: 'dark' });
    const table = page.getByRole('region', { name: 'Coverage', exact: true }).locator('table');
    await table.waitFor();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const outside = await table.locator('th, td').evaluateAll((cells, width) => {
      const isOutside = (cell: { getBoundingClientRect(): { left: number; right: number; width: number } }) => {
        const box = cell.getBoundingClientRect();
        return box.width === 0 || box.left < 0 || box.right > width;
      };
      return cells.filter(isOutside).map((cell) => cell.textContent);
    }, SHEET_WIDTH);
    expect(outside).toEqual([]);
    expect(await table.locator('thead th.mark:visible').count()).toBe(providers.length);
    expect(await table.locator('tbody tr:not(.group-head):visible').count()).toBe(series.length + fields.flat().length);
    expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
    expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('light');
    const folder = process.env.SCREENSHOTS;
    if (folder) await page.screenshot({ path: `${folder}/coverage-print.png`, fullPage: true });
    await page.emulateMedia({ media: 'screen' });
    const sheets = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    const sizes = [...sheets.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, width, height]) => [
      width,
      height,
    ]);
    expect(sizes.length).toBeGreaterThan(1);
    for (const [width, height] of sizes) {
      expect(Number(width)).toBeCloseTo(842, -1);
      expect(Number(height)).toBeCloseTo(595, -1);
    }
  });
});
