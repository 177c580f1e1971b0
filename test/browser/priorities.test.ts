import { createUser, getActivitySummary, listDeviceTypePriorities, setDeviceTypePriorities } from '@healthd/contract';
import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import { describe, expect, it } from 'vitest';
import { payload, WATCH } from '../api/push-payloads.js';
import { startDaemon } from '../support/daemon.js';
import { rowsOf } from './console-page.js';
import { consoleTests } from './console-tests.js';
import { developerClient } from './developer-client.js';
import { VARIANTS, expectAccessible } from './looks.js';
import { push } from './push.js';

/** Noon UTC two days ago. */
const NOON = Math.floor(Date.now() / MS_PER_DAY - 2) * MS_PER_DAY + 12 * MS_PER_HOUR;
const at = (hours: number) => new Date(NOON + hours * MS_PER_HOUR).toISOString();
const DATE = at(0).slice(0, 10);
const PHONE = { ...WATCH, deviceName: 'iPhone', deviceModel: 'iPhone15,2', deviceType: 'phone' };

const steps = (id: string, value: number, source: typeof WATCH) => ({
  id,
  type: 'HKQuantityTypeIdentifierStepCount',
  startDate: at(0),
  endDate: at(1),
  value,
  unit: 'count',
  zoneOffset: '+00:00',
  source,
});

const rest = (id: string, value: number, source: typeof WATCH) => ({
  ...steps(id, value, source),
  type: 'HKQuantityTypeIdentifierRestingHeartRate',
  unit: 'count/min',
});

describe('the priority preview for one user', () => {
  let id = '';
  const tests = consoleTests(async () => {
    const daemon = await startDaemon();
    ({ id } = await daemon.client.call(createUser, { body: { first_name: 'Aroha', last_name: 'Parata' } }));
    await push(
      daemon,
      id,
      payload('apple', {
        records: [steps('w', 7200, WATCH), steps('p', 9104, PHONE), rest('r', 52, WATCH), rest('s', 61, PHONE)],
      }),
    );
    return daemon;
  });

  it('compares the days of the user in the URL', async () => {
    const page = await tests.open(`/users/${id}/activity/${DATE}`);
    await page.locator('#page').getByRole('link', { name: 'Priorities' }).click();
    await page.waitForURL(`**/priorities?user=${id}`);
    const move = page.getByRole('button', { name: 'Move Phone up' });
    const preview = page.getByRole('region', { name: 'Preview: Device types' });
    for (let left = 8; left > 0 && (await move.isEnabled()); left--) await move.click();
    await preview
      .getByText(
        'Aroha Parata, last 30 days: 1 of 1 days, 0 of 0 nights and 1 of 1 recovery dates change. The body summary changes.',
      )
      .waitFor();
    const [row, ...others] = await rowsOf(page, 'Changed days of Aroha Parata');
    expect(others).toEqual([]);
    expect(row?.slice(0, 2)).toEqual([DATE, '7,200 → 9,104']);
    expect(row?.at(-1)).toMatch(/Apple Watch.* → iPhone/);
    const [recovery] = await rowsOf(page, 'Changed recovery of Aroha Parata');
    expect(recovery?.slice(0, 2)).toEqual([DATE, '52 → 61']);
    const body = await rowsOf(page, 'Changed body of Aroha Parata');
    expect(body).toEqual([
      ['Resting heart rate, 7 days', '52 bpm → 61 bpm', expect.stringMatching(/Apple Watch.* → iPhone/)],
    ]);
    for (const look of VARIANTS) await expectAccessible(page, look);
    // The preview stored nothing. After the change, the summary matches the preview.
    const developer = await developerClient(tests.daemon);
    const stored = async () => {
      const query = { start_date: DATE, end_date: at(24).slice(0, 10) };
      const { data } = await developer.call(getActivitySummary, { params: { user_id: id }, query });
      return data[0]?.steps;
    };
    expect(await stored()).toBe(7200);
    const before = (await developer.call(listDeviceTypePriorities, {})).items;
    await page.getByRole('button', { name: 'Save order' }).click();
    await preview.waitFor({ state: 'detached' });
    expect(await stored()).toBe(9104);
    const priorities = before.map(({ device_type, priority }) => ({ device_type, priority })) as never;
    await developer.call(setDeviceTypePriorities, { body: { priorities } });
  });

  it('puts a user selected by name into the URL', async () => {
    const page = await tests.open('/priorities');
    await page.getByLabel('User').fill('Aroha');
    const option = page.locator('datalist option').first();
    await option.waitFor({ state: 'attached' });
    await page.getByLabel('User').fill((await option.getAttribute('value')) ?? '');
    await page.waitForURL(`**/priorities?user=${id}`);
    await page.getByRole('button', { name: 'Remove the filter: Aroha Parata' }).waitFor();
  });
});
