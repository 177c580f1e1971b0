import type { Locator, Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { type Daemon, startDaemon } from '../support/daemon.js';
import { complaints } from './accessibility.js';
import { consoleTests } from './console-tests.js';

function hasFocus(element: Locator): Promise<boolean> {
  return element.evaluate((found) => found.ownerDocument.activeElement === found);
}

/** True if the focus is inside the open overlay. */
function isFocusInside(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`document.activeElement.closest('[role="dialog"]') !== null`);
}

describe('dialogs of the console', () => {
  let daemon: Daemon;

  const tests = consoleTests(async () => {
    daemon = await startDaemon({ env: { ADMIN_PASSWORD: 'correct horse battery' } });
    return daemon;
  });

  it('keep the focus until Escape closes the dialog', async () => {
    const page = await tests.open('/users');
    const button = page.getByRole('button', { name: 'New user' });
    await button.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New user' });
    await dialog.waitFor();
    expect(await hasFocus(dialog.getByLabel('First name'))).toBe(true);
    expect(await page.getByRole('heading', { name: /^Users/ }).count()).toBe(0);
    for (const key of ['Tab', 'Shift+Tab']) {
      for (let times = 0; times < 7; times++) {
        await page.keyboard.press(key);
        expect(await isFocusInside(page)).toBe(true);
      }
    }
    await page.keyboard.press('Escape');
    expect(await dialog.count()).toBe(0);
    await expect.poll(() => hasFocus(button)).toBe(true);
    expect(await page.getByRole('heading', { name: /^Users/ }).count()).toBe(1);
  });

  it('close after an outside click, except for forms', async () => {
    const page = await tests.open('/users', { width: 800 });
    await page.getByRole('button', { name: 'New user' }).click();
    const name = page.getByRole('dialog').getByLabel('First name');
    await name.fill('Ada');
    await page.mouse.click(10, 450);
    expect(await name.inputValue()).toBe('Ada');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Go to' });
    await palette.waitFor();
    await page.mouse.click(10, 450);
    await palette.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Menu' }).click();
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await menu.waitFor();
    await page.mouse.click(10, 450);
    await menu.waitFor({ state: 'detached' });
    await expect.poll(() => hasFocus(page.getByRole('button', { name: 'Menu' }))).toBe(true);
  });

  it('stay open with a one-time token until Done', async () => {
    const page = await tests.open('/developers');
    await page.getByRole('button', { name: /^Invite/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('new@example.org');
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const again = page.getByRole('button', { name: /^New token/ });
    await again.click();
    await dialog.getByRole('button', { name: 'Create token' }).click();
    const shown = page.getByRole('dialog', { name: 'New token for new@example.org', exact: true });
    await shown.waitFor();
    expect(await isFocusInside(page)).toBe(true);
    await page.keyboard.press('Escape');
    await page.mouse.click(10, 10);
    expect(await shown.locator('.command code').count()).toBe(1);
    await shown.getByRole('button', { name: 'Done' }).click();
    await shown.waitFor({ state: 'detached' });
    await expect.poll(() => hasFocus(again)).toBe(true);
  });

  it('keep a one-time key visible despite shortcuts', async () => {
    const page = await tests.open('/api-keys');
    // Loads the overlays, so that the keys below would open them at once.
    for (const [keys, name] of [
      ['Control+k', 'Go to'],
      ['?', 'Keyboard'],
    ] as const) {
      await page.keyboard.press(keys);
      await page.getByRole('dialog', { name }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog', { name }).waitFor({ state: 'detached' });
    }
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Ward 3');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.locator('.command code').first().waitFor();
    await page.mouse.click(10, 10);
    expect(await isFocusInside(page)).toBe(false);
    for (const key of ['Control+k', '?', '/', 'g', 'u']) await page.keyboard.press(key);
    expect(await page.getByRole('dialog').count()).toBe(1);
    expect(await dialog.locator('.command code').first().isVisible()).toBe(true);
    expect(new URL(page.url()).pathname).toBe('/api-keys');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.keyboard.type('gu');
    await page.getByRole('heading', { name: /^Users/ }).waitFor();
  });

  it('cause no content security policy violations', async () => {
    const page = await tests.open('/users', { width: 800 });
    await page.getByText('No users yet.').waitFor();
    await page.getByRole('button', { name: 'New user' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await complaints(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Go to' }).waitFor();
    expect(await complaints(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('dialog', { name: 'Menu' }).waitFor();
    expect(await complaints(page)).toEqual([]);
    expect(tests.takeFaults()).toEqual([]);
    // Many libraries add inline styles. The policy rejects and reports them.
    await page.evaluate(`document.head.append(Object.assign(document.createElement('style'), { textContent: 'a{}' }))`);
    await expect.poll(() => tests.takeFaults().join()).toContain('style-src');
  });
});
