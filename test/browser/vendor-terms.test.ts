import { readFile } from 'node:fs/promises';
import type { HealthdClient } from '@healthd/client';
import {
  listProviderTerms,
  listSleepSessions,
  listWorkouts,
  updateProviderSettings,
  type VendorTermName,
} from '@healthd/contract';
import { MS_PER_DAY } from '@healthd/model';
import {
  type GoogleSimulator,
  type StravaSimulator,
  startGoogleSimulator,
  startStravaSimulator,
} from '@healthd/simulators';
import type { Page } from 'playwright';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AMPLE_QUOTA, stravaSettings } from '../support/simulated-vendor.js';
import { consoleTests } from './console-tests.js';
import { developerClient } from './developer-client.js';
import { startWithGoogle } from './google-service.js';
import { type GoogleUser, GoogleUsers } from './google-users.js';
import { expectAccessible, VARIANTS } from './looks.js';

const LONG = 120_000;
const TEXT = 'Data by Google Health';
const REASON = 'Contract of 2026-10-01';
const day = (offset: number) => new Date(Date.now() + offset * MS_PER_DAY).toISOString().slice(0, 10);

describe('vendor terms', () => {
  let vendor: GoogleSimulator;
  let strava: StravaSimulator;
  let developer: HealthdClient;
  let user: GoogleUser | undefined;
  const tests = consoleTests(
    async () => {
      vendor = await startGoogleSimulator({ quota: AMPLE_QUOTA });
      strava = await startStravaSimulator();
      return startWithGoogle(vendor, {
        ...stravaSettings(strava),
      });
    },
    async () => {
      await vendor?.close();
      await strava?.close();
    },
  );
  const users = new GoogleUsers(tests, () => vendor);
  beforeAll(async () => {
    developer = await developerClient(tests.daemon);
  });
  beforeEach(async () => {
    await change('strava', { attribution: null, cache_days: null, combine: null, on_disconnect: null });
    await change('google', { attribution: null, cache_days: null, combine: null });
  });

  const change = (provider: 'strava' | 'google', terms: object) =>
    developer.call(updateProviderSettings, { params: { provider }, body: { terms } });
  const termOf = async (provider: string, name: VendorTermName) => {
    const { items } = await developer.call(listProviderTerms, {});
    return items.find((one) => one.provider === provider)?.terms.find(({ term }) => term === name);
  };
  const looksRightEverywhere = async (page: Page) => {
    await expect.poll(() => page.locator('#page .loading').count()).toBe(0);
    for (const look of VARIANTS) await expectAccessible(page, look);
  };

  /** Returns the only user with history at the vendor. */
  async function userWithData(): Promise<GoogleUser> {
    if (user) return user;
    const added = await users.add();
    await vendor.control.seedHistory(added.account, { seed: 3, days: 8, density: 'light' });
    await users.connect(added);
    user = added;
    return added;
  }

  describe('a question about a vendor term', () => {
    it(
      'is on Home until it is answered',
      async () => {
        const page = await tests.open('/');
        const questions = page.getByRole('region', { name: 'Vendor terms' });
        await questions.getByText('3 questions').waitFor();
        expect(await questions.getByRole('listitem').count()).toBe(1);
        expect(await page.getByRole('heading', { name: 'No problems found' }).count()).toBe(0);
        await looksRightEverywhere(page);
        await questions.getByRole('link', { name: 'Answer Strava' }).click();
        await page.getByRole('heading', { name: 'Strava', exact: true }).waitFor();
        const open = page.getByRole('region', { name: 'Questions' });
        for (const left of [2, 1, 0]) {
          await open
            .getByRole('button', { name: /^Decline/ })
            .first()
            .click();
          await expect.poll(() => open.getByRole('listitem').count()).toBe(left);
        }
        expect(await termOf('strava', 'cache_days')).toMatchObject({ state: 'declined' });
        await page.goto(tests.daemon.url);
        await page.getByRole('region', { name: 'Figures' }).waitFor();
        expect(await questions.count()).toBe(0);
      },
      LONG,
    );

    it(
      'shows the number of affected rows',
      async () => {
        await userWithData();
        await change('google', { cache_days: { value: 1, reason: REASON } });
        const rows = (await termOf('google', 'cache_days'))?.rows ?? 0;
        expect(rows).toBeGreaterThan(100);
        const page = await tests.open('/providers/google');
        const question = page.getByRole('listitem').filter({ hasText: 'Delete data that is older than 1 day?' });
        await question.getByText(`${rows.toLocaleString('en-US')} rows now`).waitFor();
        await page.goto(tests.daemon.url);
        await page.getByRole('link', { name: 'Answer Google Health' }).waitFor();
      },
      LONG,
    );

    it(
      "requires typing the provider's name before accepting a deletion",
      async () => {
        await change('strava', { cache_days: { value: 30, reason: REASON } });
        const page = await tests.open('/providers/strava');
        const question = page.getByRole('listitem').filter({ hasText: 'Delete data that is older than 30 days?' });
        await question.getByText('0 rows now').waitFor();
        await looksRightEverywhere(page);
        await question.getByRole('button', { name: /^Accept/ }).click();
        const dialog = page.getByRole('dialog');
        const accept = dialog.getByRole('button', { name: 'Accept and delete' });
        expect(await accept.isDisabled()).toBe(true);
        await looksRightEverywhere(page);
        await dialog.getByLabel('Type Strava to confirm').fill('Strava');
        await accept.click();
        await dialog.waitFor({ state: 'detached' });
        expect(await termOf('strava', 'cache_days')).toMatchObject({ state: 'acts', value: 30 });
        const row = page.getByRole('row').filter({ hasText: 'Storage limit' });
        await row.getByText('Accepted by').waitFor();
        await row.getByRole('button', { name: 'Decline Storage limit' }).click();
        await row.getByText('Declined by').waitFor();
      },
      LONG,
    );
  });

  describe('an override', () => {
    it(
      'shows its required reason until the override is removed',
      async () => {
        const page = await tests.open('/providers/strava');
        const row = page.getByRole('row').filter({ hasText: 'AI assistants' });
        await row.getByText('Withheld from AI assistants').waitFor();
        await row.getByText('section 5.3').waitFor();
        await row.getByRole('button', { name: 'Override AI assistants' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Rule here').selectOption('allow');
        await dialog.getByRole('button', { name: 'Override term' }).click();
        await dialog.getByText('Enter a reason.').waitFor();
        await looksRightEverywhere(page);
        await dialog.getByLabel('Reason').fill(REASON);
        await dialog.getByRole('button', { name: 'Override term' }).click();
        await dialog.waitFor({ state: 'detached' });
        await row.getByText(REASON).waitFor();
        expect(await termOf('strava', 'assistants')).toMatchObject({ value: 'allow', override: { reason: REASON } });
        await looksRightEverywhere(page);
        await row.getByRole('button', { name: 'Remove the override of AI assistants' }).click();
        await dialog.getByText('must not read').waitFor();
        await dialog.getByRole('button', { name: 'Remove' }).click();
        await row.getByText('Withheld from AI assistants').waitFor();
        expect(await termOf('strava', 'assistants')).toMatchObject({ value: 'deny', override: null });
      },
      LONG,
    );

    it(
      'removes the term if its text or number is empty',
      async () => {
        const page = await tests.open('/providers/strava');
        const dialog = page.getByRole('dialog');
        for (const name of ['Attribution', 'Storage limit']) {
          const row = page.getByRole('row').filter({ hasText: name });
          await row.getByRole('button', { name: `Override ${name}` }).click();
          await dialog.getByLabel('Rule here').fill('');
          await dialog.getByLabel('Reason').fill(REASON);
          await dialog.getByRole('button', { name: 'Override term' }).click();
          await row.getByText('Does not apply').waitFor();
        }
        expect(await termOf('strava', 'attribution')).toMatchObject({ value: null, state: 'allows' });
        expect(await termOf('strava', 'cache_days')).toMatchObject({ value: null, state: 'allows' });
      },
      LONG,
    );
  });

  describe('an attribution', () => {
    it(
      'is shown with the vendor data on every page',
      async () => {
        const { id } = await userWithData();
        await change('google', { attribution: { value: TEXT, reason: REASON } });
        const params = { user_id: id };
        const query = { start_date: day(-8), end_date: day(1), limit: 10 };
        const { data: nights } = await developer.call(listSleepSessions, { params, query });
        const { data: workouts } = await developer.call(listWorkouts, { params, query });
        const page = await tests.open('/');
        const own = ['activity', 'sleep', 'workouts', 'health', 'series?type=heart_rate&days=7'];
        const explained = [
          `activity/${nights[0]?.wake_date}`,
          `health/recovery/${nights[0]?.wake_date}`,
          'health/body',
        ];
        const one = [`sleep/${nights[0]?.id}`, `workouts/${workouts[0]?.id}`];
        for (const path of [...own, ...one, ...explained]) {
          await page.goto(`${tests.daemon.url}/users/${id}/${path}`);
          await page.getByText(`Attribution: ${TEXT}`).first().waitFor();
          await looksRightEverywhere(page);
        }
      },
      LONG,
    );

    it(
      'is included in saved files of nights and series',
      async () => {
        const { id } = await userWithData();
        await change('google', { attribution: { value: TEXT, reason: REASON } });
        const page = await tests.open('/');
        for (const path of ['sleep', 'series?type=heart_rate&days=7']) {
          await page.goto(`${tests.daemon.url}/users/${id}/${path}`);
          await page.getByText(`Attribution: ${TEXT}`).first().waitFor();
          const [download] = await Promise.all([
            page.waitForEvent('download'),
            page.getByRole('button', { name: 'CSV' }).click(),
          ]);
          const [head, first] = (await readFile(await download.path(), 'utf8')).split('\r\n');
          expect([head?.split(',').at(-1), first?.split(',').at(-1)]).toEqual(['attribution', TEXT]);
        }
      },
      LONG,
    );
  });

  it(
    'explains a figure that is withheld from summaries',
    async () => {
      const { id } = await userWithData();
      await change('google', { combine: { value: 'deny', reason: REASON } });
      await change('google', { combine: { answer: 'accepted' } });
      const page = await tests.open('/');
      for (const path of ['activity', 'sleep', 'health']) {
        await page.goto(`${tests.daemon.url}/users/${id}/${path}`);
        await page.getByText('The terms of Google Health forbid').first().waitFor();
        await page.locator('#page tbody tr').filter({ hasText: 'withheld' }).first().waitFor();
        await looksRightEverywhere(page);
      }
      await page.goto(`${tests.daemon.url}/users/${id}/sleep`);
      await page
        .getByRole('button', { name: /^Sleeps recorded for/ })
        .first()
        .click();
      await page.getByRole('list', { name: /^Recorded for/ }).waitFor();
      await page.getByText('not counted').waitFor({ state: 'detached' });
    },
    LONG,
  );
});
