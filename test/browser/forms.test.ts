import { createApiKey, deleteApiKey, listUsers } from '@healthd/contract';
import type { Locator } from 'playwright';
import { describe, expect, it } from 'vitest';
import { type Daemon, startDaemon } from '../support/daemon.js';
import { complaints } from './accessibility.js';
import { consoleTests } from './console-tests.js';
import { developerClient } from './developer-client.js';

/** Returns the texts that a screen reader announces with a field, from its `aria-describedby`. */
function descriptionOf(field: Locator): Promise<string> {
  return field.evaluate((input) => {
    const ids = input.getAttribute('aria-describedby')?.split(' ') ?? [];
    return ids.map((id: string) => input.ownerDocument.getElementById(id)?.textContent).join(' ');
  });
}

function hasFocus(field: Locator): Promise<boolean> {
  return field.evaluate((input) => input.ownerDocument.activeElement === input);
}

describe('forms of the console', () => {
  let daemon: Daemon;

  const tests = consoleTests(async () => {
    daemon = await startDaemon({ env: { ADMIN_PASSWORD: 'correct horse battery' } });
    return daemon;
  });

  it('marks a missing field until it is filled in', async () => {
    const page = await tests.open('/applications');
    await page.getByRole('button', { name: 'New application' }).click();
    const dialog = page.getByRole('dialog');
    const name = dialog.getByLabel('Name');
    expect(await name.getAttribute('aria-invalid')).toBe('false');
    await name.fill('   ');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('Enter a name.').waitFor();
    expect(await descriptionOf(name)).toBe('Enter a name.');
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    expect(await name.getAttribute('aria-required')).toBe('true');
    expect(await hasFocus(name)).toBe(true);
    expect(await complaints(page)).toEqual([]);
    await name.fill(' Phone app ');
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('false');
    expect(await descriptionOf(name)).toBe('');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('dialog', { name: 'Secret of “Phone app”' }).waitFor();
  });

  it('shows a field error of the service at the focused field', async () => {
    const page = await tests.open('/users');
    await page.getByRole('button', { name: 'New user' }).click();
    const dialog = page.getByRole('dialog');
    const email = dialog.getByLabel('Email');
    await dialog.getByLabel('First name').fill('Ada');
    await email.fill('ada');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('Enter an email address, such as name@example.org.').waitFor();
    // Only the service rejects this email.
    await email.fill('ada@nowhere');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await expect.poll(() => descriptionOf(email)).toMatch(/email/i);
    expect(await email.getAttribute('aria-invalid')).toBe('true');
    expect(await hasFocus(email)).toBe(true);
    expect(await dialog.getByLabel('First name').getAttribute('aria-invalid')).toBe('false');
    expect(await dialog.getByRole('alert').count()).toBe(0);
    expect(await complaints(page)).toEqual([]);
    const { total: before } = await daemon.client.call(listUsers, { query: {} });
    expect(before).toBe(0);
    await email.fill('ada@example.org');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Ada' }).waitFor();
    const { items } = await daemon.client.call(listUsers, { query: {} });
    expect(items.map((user) => [user.first_name, user.last_name, user.email])).toEqual([
      ['Ada', null, 'ada@example.org'],
    ]);
  });

  it('shows an error without a field as an alert with request ID', async () => {
    const body = { name: 'Reports', scopes: null, expires_at: null };
    const developer = await developerClient(daemon);
    const { id } = await developer.call(createApiKey, { body });
    const page = await tests.open('/api-keys');
    await page
      .getByRole('row', { name: /Reports/ })
      .getByRole('button', { name: 'Rotate' })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Rotate “Reports”?' });
    await dialog.waitFor();
    await developer.call(deleteApiKey, { params: { key_id: id } });
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    const problem = dialog.getByRole('alert');
    await problem.waitFor();
    expect(await problem.textContent()).toMatch(/Request/);
    expect(await dialog.getByLabel('The old key').getAttribute('aria-invalid')).toBe('false');
  });

  it('submits once after two clicks', async () => {
    const page = await tests.open('/users');
    await page.getByRole('button', { name: 'New user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('First name').fill('Twice');
    await dialog.getByRole('button', { name: 'Create' }).dblclick();
    await page.getByRole('heading', { name: 'Twice' }).waitFor();
    const { total } = await daemon.client.call(listUsers, { query: { search: 'Twice' } });
    expect(total).toBe(1);
  });

  it('marks an empty login field, but not a wrong password', async () => {
    const page = await tests.openAddress(`${daemon.url}/users`);
    const password = page.getByLabel('Password');
    await page.getByLabel('Email').fill(daemon.email);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('Enter your password.').waitFor();
    expect(await hasFocus(password)).toBe(true);
    expect(await descriptionOf(password)).toBe('Enter your password.');
    expect(await complaints(page)).toEqual([]);
    await password.fill('wrong');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('alert').waitFor();
    expect(await password.getAttribute('aria-invalid')).toBe('false');
    await password.fill(daemon.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: /^Users/ }).waitFor();
  });
});
