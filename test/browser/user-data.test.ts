import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createUser,
  explainActivitySummary,
  explainSleepSummary,
  getBodySummary,
  getDataGaps,
  getDataSummary,
  getRecoverySummary,
  getSingleTimeseries,
  getSleepSummary,
  listSleepSessions,
  listWorkouts,
} from '@healthd/contract';
import { MS_PER_DAY } from '@healthd/model';
import type { TimeSeriesSample } from '@healthd/schemas';
import { writeExport } from '@healthd/simulators';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { payload, reading, WATCH } from '../api/push-payloads.js';
import { importFile } from '../e2e/imports.js';
import { type Daemon, startDaemon } from '../support/daemon.js';
import { complaints } from './accessibility.js';
import { type ConsoleOptions, overflow, rowsOf } from './console-page.js';
import { consoleTests } from './console-tests.js';
import { VARIANTS, expectAccessible } from './looks.js';
import { push } from './push.js';

/** Pages that must be accessible. */
const PAGES = [
  '/series?type=heart_rate&days=7',
  '/series?type=steps&days=30',
  '/sleep',
  '/health',
  '/days',
  '/days?days=90',
  `/activity/${day(-3)}`,
];
/** Number of days in the export. The last day is two days ago. */
const DAYS = 20;

describe("a user's data in the console", () => {
  let daemon: Daemon;
  let user: string;
  let exportPath: string;

  const tests = consoleTests(async () => {
    daemon = await startDaemon({ env: { ADMIN_PASSWORD: 'correct horse battery' } });
    user = (await daemon.client.call(createUser, { body: { first_name: 'Wanda', last_name: 'Nowak' } })).id;
    exportPath = join(daemon.home.folder, 'export.zip');
    await writeExport(exportPath, {
      seed: 5,
      density: 'light',
      days: DAYS,
      endDate: day(-2),
      timeZone: 'Europe/Warsaw',
    });
    await importFile(daemon, user, exportPath);
    return daemon;
  });

  /** Opens a page of the user. */
  const open = (path: string, options?: ConsoleOptions) => tests.open(`/users/${user}${path}`, options);

  async function heartRate(start: string, end: string): Promise<TimeSeriesSample[]> {
    const { data } = await daemon.client.call(getSingleTimeseries, {
      params: { user_id: user, series_type: 'heart_rate' },
      query: { start_time: start, end_time: end, limit: 10_000 },
    });
    return data;
  }

  describe('series', () => {
    const [start, end] = [`${day(-3)}T06:00:00Z`, `${day(-3)}T10:00:00Z`];
    const stretch = `/series?type=heart_rate&from=${start}&to=${end}`;

    it("draws a series in the user's time zone with keyboard-accessible points", async () => {
      const samples = await heartRate(start, end);
      const page = await open(stretch);
      await page.getByText('times in Europe/Warsaw, you are in Asia/Tokyo').waitFor();
      const chart = page.getByRole('slider', { name: /^Heart rate/ });
      await chart.focus();
      await page.keyboard.press('Home');
      const announcement = page.getByRole('status').filter({ hasText: 'bpm' });
      const textOf = (sample: TimeSeriesSample | undefined) => {
        return `${localTime(sample?.timestamp ?? '')} · ${Math.round((sample?.value ?? 0) * 100) / 100} bpm`;
      };
      await expect.poll(() => announcement.textContent()).toContain(textOf(samples[0]));
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => announcement.textContent()).toContain(textOf(samples[1]));
      await page.keyboard.press('End');
      await expect.poll(() => announcement.textContent()).toContain(textOf(samples.at(-1)));
    });

    it("shows the source's count and extremes, a value table, and CSV", async () => {
      const samples = await heartRate(start, end);
      const values = samples.map(({ value }) => value);
      const page = await open(stretch);
      const [row, ...others] = await rowsOf(page, 'Sources in this range');
      expect(others).toEqual([]);
      expect(row?.slice(1, 4).map(Number)).toEqual([samples.length, Math.min(...values), Math.max(...values)]);
      await page.getByText('As a table').click();
      const shown = await rowsOf(page, 'Values');
      expect(shown.map(([, value]) => Number(value))).toEqual(values.slice(-200).reverse());
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'CSV' }).click(),
      ]);
      const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
      expect(lines.slice(1).map((line) => line.split(',').slice(0, 4))).toEqual(
        samples.map((sample) => [sample.timestamp, sample.zone_offset, 'heart_rate', String(sample.value)]),
      );
    });

    it('zooms into a dragged range until the browser goes back', async () => {
      const page = await open(`/series?type=heart_rate&from=${day(-6)}T00:00:00Z&to=${day(-3)}T00:00:00Z`);
      await page.getByText('by 15 minutes', { exact: false }).first().waitFor();
      const before = page.url();
      const area = await page.locator('.u-over').boundingBox();
      if (!area) throw new Error('No chart is drawn.');
      await page.mouse.move(area.x + area.width * 0.5, area.y + 50);
      await page.mouse.down();
      await page.mouse.move(area.x + area.width * 0.55, area.y + 60, { steps: 5 });
      await page.mouse.up();
      await page.getByText('as recorded', { exact: false }).first().waitFor();
      const search = new URL(page.url()).searchParams;
      const [from, to] = [Date.parse(search.get('from') ?? ''), Date.parse(search.get('to') ?? '')];
      expect(Math.abs(from - Date.parse(`${day(-5)}T12:00:00Z`))).toBeLessThan(600_000);
      expect((to - from) / (3 * MS_PER_DAY)).toBeCloseTo(0.05, 2);
      await page.goBack();
      expect(page.url()).toBe(before);
      await page.getByText('by 15 minutes', { exact: false }).first().waitFor();
    });

    it('zooms with plus and minus', async () => {
      const page = await open(stretch);
      await page.getByRole('slider', { name: /^Heart rate/ }).focus();
      await page.keyboard.press('+');
      const length = () => {
        const search = new URL(page.url()).searchParams;
        return Date.parse(search.get('to') ?? '') - Date.parse(search.get('from') ?? '');
      };
      await expect.poll(length).toBe(2 * 3_600_000);
      await page.getByRole('slider', { name: /^Heart rate/ }).focus();
      await page.keyboard.press('-');
      await expect.poll(length).toBe(4 * 3_600_000);
    });

    it('offers the latest data for an empty range', async () => {
      const page = await open('/series?days=1');
      await page.getByText('No heart rate in this range.').waitFor();
      await page.getByRole('link', { name: /See the latest day with data/ }).click();
      await page.getByRole('slider', { name: /^Heart rate/ }).waitFor();
      await page.getByLabel('Series', { exact: true }).selectOption('steps');
      await page.getByRole('slider', { name: /^Steps/ }).waitFor();
      expect(new URL(page.url()).searchParams.get('type')).toBe('steps');
      expect(await page.locator('code', { hasText: 'healthctl data timeseries' }).textContent()).toContain('steps');
    });

    it('draws 100,000 samples as recorded, up to the last sample', async () => {
      const page = await open('/series?type=weight');
      const begin = Date.parse(start);
      // Simulates ten pages with 10,000 samples each, because no day of the user has this many samples.
      await page.route('**/timeseries/heart_rate?*', async (route) => {
        const at = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
        const data = Array.from({ length: 10_000 }, (_, index) => ({
          timestamp: new Date(begin + (at * 10_000 + index) * 100).toISOString(),
          zone_offset: '+01:00',
          type: 'heart_rate',
          value: 60 + ((index * 7) % 90),
          unit: 'bpm',
          source: { provider: 'apple', source: null, device: 'a', device_type: 'watch', device_name: 'Watch' },
          is_daily_total: null,
        }));
        const pagination = { next_cursor: at < 9 ? `${at + 1}` : null, previous_cursor: null, has_more: at < 9 };
        await route.fulfill({ json: { data, pagination, metadata: {} } });
      });
      await page.goto(`${daemon.url}/users/${user}${stretch}`);
      const chart = page.getByRole('slider', { name: /^Heart rate/ });
      await expect.poll(() => chart.getAttribute('aria-valuemax')).toBe('99999');
      await chart.focus();
      await page.keyboard.press('End');
      const last = localTime(new Date(begin + 99_999 * 100).toISOString());
      await expect.poll(() => chart.getAttribute('aria-valuetext')).toBe(last);
    });
  });

  describe('nights', () => {
    const [from, to] = [day(-29), day(2)];

    it('lists nights like the summaries, with collapsed details', async () => {
      const { data } = await daemon.client.call(getSleepSummary, {
        params: { user_id: user },
        query: { start_date: from, end_date: to, limit: 100 },
      });
      const page = await open('/sleep');
      const shown = await rowsOf(page, 'Nights');
      expect(shown.map(([date]) => date)).toEqual(data.map(({ date }) => date).reverse());
      const newest = data.at(-1);
      const minutes = (text: string | undefined) => {
        const [, hours, rest] = /^(?:(\d+) h )?(\d+)/.exec(text ?? '') ?? [];
        return Number(hours ?? 0) * 60 + Number(rest);
      };
      const [, , asleep, , deep, rem, light, awake] = shown[0] ?? [];
      expect([asleep, deep, rem, light, awake].map(minutes)).toEqual([
        newest?.duration_minutes,
        newest?.stages?.deep_minutes,
        newest?.stages?.rem_minutes,
        newest?.stages?.light_minutes,
        newest?.stages?.awake_minutes,
      ]);
      await page.getByRole('button', { name: `recorded for ${newest?.date}` }).click();
      const recorded = page.getByRole('list', { name: `Recorded for ${newest?.date}` });
      const { data: sessions } = await daemon.client.call(listSleepSessions, {
        params: { user_id: user },
        query: { start_date: from, end_date: to, limit: 100 },
      });
      const woke = sessions.filter(({ end_time }) => localTime(end_time).startsWith(newest?.date ?? '-'));
      expect(await recorded.getByRole('listitem').count()).toBe(woke.length);
      expect(await recorded.getByText('counts', { exact: true }).count()).toBe(newest?.sessions?.length);
    });

    it('shows stages over the hours and as a table, with measurements', async () => {
      const { data } = await daemon.client.call(listSleepSessions, {
        params: { user_id: user },
        query: { start_date: from, end_date: to, limit: 100 },
      });
      const night = data.find((session) => !session.is_nap && (session.sleep_stage_intervals?.length ?? 0) > 1);
      const page = await open(`/sleep/${night?.id}`);
      await page.getByRole('heading', { name: /^Night that ended on/ }).waitFor();
      await page.getByText('As a table').first().click();
      const stages = await rowsOf(page, 'Stages in order');
      expect(stages.map(([begin, end]) => [begin, end])).toEqual(
        night?.sleep_stage_intervals?.map(({ start_time, end_time }) => [
          localTime(start_time).slice(11),
          localTime(end_time).slice(11),
        ]),
      );
      const blocks = page.locator('.lanes-chart rect:not(.shade)');
      expect(await blocks.count()).toBe(stages.length);
      await page.getByRole('slider', { name: /^Heart rate:/ }).waitFor();
      await page.getByRole('link', { name: 'All nights' }).click();
      await page.getByRole('heading', { name: 'Nights' }).waitFor();
    });
  });

  it('shows workout figures, with a route if coordinates exist', async () => {
    const { data } = await daemon.client.call(listWorkouts, {
      params: { user_id: user },
      query: { start_date: day(-29), end_date: day(2) },
    });
    const workout = data.find(({ distance_meters }) => distance_meters !== null);
    const page = await open('/workouts');
    // The export has no coordinates, so the test replaces some series of the service's response with coordinates.
    await page.route(`**/events/workouts/${workout?.id}`, async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      const series = (type: string, values: number[]) => ({
        type,
        unit: 'degrees',
        complete: false,
        samples: values.map((value, at) => ({ timestamp: new Date(at * 1000).toISOString(), value })),
      });
      const way = [series('latitude', [52.2, 52.21, 52.21]), series('longitude', [21, 21, 21.01])];
      await route.fulfill({ response, json: { ...body, samples: [...body.samples, ...way] } });
    });
    await page.getByRole('link', { name: localTime(workout?.start_time ?? '') }).click();
    const figures = page.getByRole('region', { name: 'Figures' });
    await figures.getByText(`${((workout?.distance_meters ?? 0) / 1000).toFixed(1)} km`).waitFor();
    await page.getByRole('img', { name: 'Route: 682 m from west to east, 1.1 km from north to south' }).waitFor();
    await page.getByText('Only the first 3 points are shown. The route continues.', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'All workouts' }).click();
    await page.getByRole('heading', { name: 'Workouts' }).waitFor();
  });

  it('shows recovery, body and scores as reported', async () => {
    const { data } = await daemon.client.call(getRecoverySummary, {
      params: { user_id: user },
      query: { start_date: day(-29), end_date: day(2), limit: 100 },
    });
    const body = await daemon.client.call(getBodySummary, { params: { user_id: user }, query: {} });
    const page = await open('/health');
    const shown = await rowsOf(page, 'Recovery by day');
    expect(shown.map(([date, , , rate]) => [date, rate])).toEqual(
      data.reverse().map((one) => [one.date, String(one.resting_heart_rate_bpm ?? '–')]),
    );
    const weight = body?.slow_changing.weight_kg?.toLocaleString('en-US', { maximumFractionDigits: 1 });
    await page.getByRole('region', { name: 'Body' }).getByText(`${weight} kg`).waitFor();
    await page.getByText('No provider sent a score in the last 30 days.').waitFor();
  });

  it('explains in the calendar why gaps in file data have no backfill', async () => {
    const { items } = await daemon.client.call(getDataGaps, { params: { user_id: user }, query: {} });
    const withHoles = items.filter(({ days_missing }) => days_missing > 0);
    const page = await open('/days');
    const shown = await rowsOf(page, 'Apple Health');
    expect(shown.map(([, , received]) => received)).toEqual(items.map(({ days_received }) => `${days_received} of 30`));
    await page.getByLabel('Only with missing days').check();
    await expect.poll(() => new URL(page.url()).search).toBe('?missing=1');
    await expect.poll(async () => (await rowsOf(page, 'Apple Health')).length).toBe(withHoles.length);
    expect(await page.locator('rect.day-missing').count()).toBe(
      withHoles.reduce((sum, { days_missing }) => sum + days_missing, 0),
    );
    await page.locator('rect.day-missing').first().click();
    await page.getByRole('dialog').getByText('Apple Health does not provide past days on request').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('imports a previewed file only after confirmation', async () => {
    const { id } = await daemon.client.call(createUser, { body: { first_name: 'Tried' } });
    const page = await open('/runs');
    await page.goto(`${daemon.url}/users/${id}/runs`);
    await page.getByLabel(/^Dry run/).check();
    await page.getByLabel('Import file').setInputFiles(exportPath);
    const changes = await rowsOf(page, 'Changes of the import');
    expect(changes.length).toBeGreaterThan(5);
    expect(
      changes.every(([, fresh, changed, deleted]) => figure(fresh) > 0 && changed === '0' && deleted === '0'),
    ).toBe(true);
    const stored = () => daemon.client.call(getDataSummary, { params: { user_id: id }, query: {} });
    expect((await stored()).total_data_points).toBe(0);
    await page.getByRole('button', { name: 'Start import' }).click();
    await page.getByText('The export was imported.').first().waitFor();
    expect((await stored()).total_data_points).toBeGreaterThan(1000);
  });

  it("explains a day by each source's hours and counted parts", async () => {
    const date = day(-3);
    const { metrics } = await daemon.client.call(explainActivitySummary, {
      params: { user_id: user },
      query: { date },
    });
    const steps = metrics.find(({ type }) => type === 'steps');
    const page = await open('/activity');
    await page.getByRole('link', { name: date, exact: true }).click();
    await page.getByRole('heading', { name: `Sources of the activity of ${date}` }).waitFor();
    const sources = await rowsOf(page, 'Compared sources');
    expect(sources.map(([, counted, sum]) => [figure(counted), figure(sum)])).toEqual(
      steps?.candidates.map(({ amount, sample_sum }) => [amount, sample_sum]),
    );
    expect(steps?.candidates.length).toBeGreaterThan(1);
    await page.getByRole('region', { name: 'Sources over the day' }).waitFor();
    expect(await page.locator('rect.counted').count()).toBeGreaterThan(0);
    expect(await page.locator('rect.spare').count()).toBeGreaterThan(0);
    await page.getByRole('link', { name: /^Energy/ }).click();
    await page.getByRole('heading', { name: 'Energy over the day' }).waitFor();
    await page.getByRole('link', { name: 'Day before' }).click();
    await page.getByRole('heading', { name: `Sources of the activity of ${day(-4)}` }).waitFor();
    expect(new URL(page.url()).search).toBe('?metric=energy');
  });

  describe('the explanations', () => {
    const [from, to] = [day(-29), day(2)];
    const range = { start_date: from, end_date: to, limit: 100 };
    const resultsOf = async (page: Page, name: string) =>
      (await rowsOf(page, name)).filter(([, , , result]) => result?.startsWith('Selected')).map(([group]) => group);

    it('name the source of each group of a night', async () => {
      const { data } = await daemon.client.call(listSleepSessions, { params: { user_id: user }, query: range });
      const night = data.find(({ is_nap: isNap }) => !isNap);
      const page = await open(`/sleep/${night?.id}`);
      const name = `Sources of the sleep of ${night?.wake_date}`;
      await page.getByRole('heading', { name }).waitFor();
      const { groups } = await daemon.client.call(explainSleepSummary, {
        params: { user_id: user },
        query: { date: night?.wake_date ?? '' },
      });
      const won = groups.filter(({ winner }) => winner !== null);
      expect((await resultsOf(page, name)).length).toBe(won.length);
      expect((await rowsOf(page, name)).some(([, , , result]) => result?.endsWith('(this session)'))).toBe(true);
      for (const look of VARIANTS) await expectAccessible(page, look);
      await page.getByRole('link', { name: 'How a source is selected' }).click();
      await page.getByRole('heading', { name: 'How a source is selected' }).waitFor();
      await page.getByRole('heading', { name: 'The rule' }).waitFor();
      for (const look of VARIANTS) await expectAccessible(page, look);
    });

    it('name the source of each group of an activity day', async () => {
      const date = day(-3);
      const query = { date };
      const { groups } = await daemon.client.call(explainActivitySummary, { params: { user_id: user }, query });
      const page = await open(`/activity/${date}`);
      const rows = await rowsOf(page, 'Sources of each group');
      expect(rows.length).toBe(groups.reduce((count, { candidates }) => count + candidates.length, 0));
      expect(await resultsOf(page, 'Sources of each group')).toEqual(
        expect.arrayContaining(['Movement', 'Energy', 'Heart rate']),
      );
      await page.getByRole('region', { name: 'Sources over the day' }).waitFor();
      for (const look of VARIANTS) await expectAccessible(page, look);
    });

    it('name the sources of a day without steps', async () => {
      const { id } = await daemon.client.call(createUser, { body: { first_name: 'Ida' } });
      const date = day(-2);
      const phone = { deviceName: 'iPhone', deviceType: 'phone' };
      const facts = { zoneOffset: '+00:00' };
      const climb = {
        id: 'climb',
        type: 'hiking',
        source: WATCH,
        startDate: `${date}T10:00:00Z`,
        endDate: `${date}T12:00:00Z`,
        values: [{ type: 'elevationAscended', unit: 'm', value: 420 }],
        ...facts,
      };
      const heartRates = [WATCH, phone].map((source, at) =>
        reading('HKQuantityTypeIdentifierHeartRate', `${date}T09:0${at}:00Z`, 60 + at, 'count/min', {
          source,
          ...facts,
        }),
      );
      await push(daemon, id, payload('apple', { records: heartRates, workouts: [climb] }));
      const page = await tests.open(`/users/${id}/activity/${date}`);
      const rows = await rowsOf(page, 'Sources of each group');
      expect(rows.map(([group, , value, result]) => [group, value, result])).toEqual([
        ['Heart rate', '60 bpm', 'Selected'],
        ['Heart rate', '61 bpm', '2. Phones, scales and apps rank below wearables'],
        ['Elevation', '420 m', 'Selected'],
      ]);
      expect(await page.getByText('No activity').count()).toBe(0);
      for (const look of VARIANTS) await expectAccessible(page, look);
    });

    it('link recovery and body to the sources of their figures', async () => {
      const { data } = await daemon.client.call(getRecoverySummary, { params: { user_id: user }, query: range });
      const date = data.at(-1)?.date ?? '';
      const page = await open('/health');
      await page.getByRole('link', { name: date, exact: true }).click();
      await page.getByRole('heading', { name: `Sources of the recovery of ${date}` }).waitFor();
      expect(await resultsOf(page, `Sources of the recovery of ${date}`)).toContain('Resting heart rate');
      for (const look of VARIANTS) await expectAccessible(page, look);
      await page.getByRole('link', { name: 'Recovery, scores and body' }).click();
      await page.getByRole('link', { name: 'sources of these figures' }).click();
      await page.getByRole('heading', { name: 'Sources of the figures' }).waitFor();
      expect(await resultsOf(page, 'Sources of the figures')).toContain('Weight');
      for (const look of VARIANTS) await expectAccessible(page, look);
    });
  });

  it.each([
    { width: 1440, colorScheme: 'light' },
    { width: 1440, colorScheme: 'dark' },
    { width: 390, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
  ] as const)('is accessible: $width px, $colorScheme', async (look) => {
    const page = await open('/data', look);
    for (const path of PAGES) {
      await page.goto(`${daemon.url}/users/${user}${path}`);
      await page.locator('.tabs').waitFor();
      await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
      expect([path, await complaints(page)]).toEqual([path, []]);
      expect([path, await overflow(page)]).toEqual([path, 0]);
    }
    await page.setViewportSize({ width: 320, height: 800 });
    await expect.poll(() => overflow(page)).toBe(0);
  });
});

/** Formats `YYYY-MM-DD HH:MM` in Warsaw, in winter. */
function localTime(instant: string): string {
  return new Date(Date.parse(instant) + 3_600_000).toISOString().slice(0, 16).replace('T', ' ');
}

/** Parses a figure with digit groups. */
function figure(text: string | undefined): number {
  return Number((text ?? '').replaceAll(',', ''));
}

/** Returns `YYYY-MM-DD` this many days from today, in UTC. */
function day(from: number): string {
  return new Date(Date.now() + from * MS_PER_DAY).toISOString().slice(0, 10);
}
