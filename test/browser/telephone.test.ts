import { createUser } from '@healthd/contract';
import { describe, expect, it } from 'vitest';
import { heartRates, payload } from '../api/push-payloads.js';
import { startDaemon } from '../support/daemon.js';
import { consoleTests } from './console-tests.js';
import { expectAccessible } from './looks.js';
import { push } from './push.js';

const LOOK = { width: 390, colorScheme: 'dark' } as const;

describe('the console on a phone', () => {
  const tests = consoleTests(() => startDaemon({ env: { ADMIN_PASSWORD: 'correct horse battery' } }));
  const newUser = async (first_name: string) => {
    const { id } = await tests.daemon.client.call(createUser, {
      body: { first_name, email: `${first_name}@example.org`, time_zone: 'Europe/Berlin' },
    });
    return id;
  };

  it('shows list rows as labeled blocks without empty values', async () => {
    await newUser('ada');
    const page = await tests.open('/users', LOOK);
    const list = page.getByRole('region', { name: 'Users' });
    const cells = list.getByRole('row').nth(1).locator('td');
    await cells.first().waitFor();
    const names = await cells.evaluateAll((found) =>
      found.map((cell) => {
        const view = cell.ownerDocument.defaultView;
        return view?.getComputedStyle(cell).display === 'none'
          ? 'left out'
          : view?.getComputedStyle(cell, '::before').content;
      }),
    );
    expect(names).toEqual(['none', '"Email"', '"Id"', 'left out', '"Created"']);
    expect(await list.evaluate((region) => region.scrollWidth - region.clientWidth)).toBe(0);
    await expectAccessible(page, LOOK);
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(await cells.nth(3).textContent()).toContain('–');
    await page.getByRole('columnheader', { name: 'Email' }).waitFor();
  });

  it('keeps the selected tab visible', async () => {
    const page = await tests.open(`/users/${await newUser('bo')}/runs`, LOOK);
    const tabs = page.getByRole('navigation', { name: 'Profile' });
    const isInSight = async (title: string) => {
      const box = await tabs.getByRole('link', { name: title }).boundingBox();
      return box !== null && box.x >= 0 && box.x + box.width <= LOOK.width;
    };
    await expect.poll(() => isInSight('Runs')).toBe(true);
    expect(await isInSight('Activity')).toBe(false);
    await tabs.getByRole('link', { name: 'Activity' }).click();
    await expect.poll(() => isInSight('Activity')).toBe(true);
  });

  it('summarizes healthy providers in an expandable sentence', async () => {
    const id = await newUser('cy');
    const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
    for (const provider of ['apple', 'samsung', 'google'] as const) {
      await push(tests.daemon, id, payload(provider, { records: heartRates(3, anHourAgo) }));
    }
    const page = await tests.open(`/users/${id}`, LOOK);
    const diagnosis = page.getByRole('region', { name: 'Diagnosis' });
    await expect
      .poll(() => diagnosis.textContent())
      .toContain('Apple Health, Samsung Health and Google Health: data arrives as expected.');
    const each = diagnosis.locator('[data-cause]');
    expect(await each.filter({ visible: true }).count()).toBe(0);
    await diagnosis.locator('summary.verdict').press('Enter');
    await expect.poll(() => each.filter({ visible: true }).count()).toBe(3);
    await expectAccessible(page, LOOK);
  });
});
