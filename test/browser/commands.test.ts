import { createUser } from '@healthd/contract';
import { MS_PER_HOUR } from '@healthd/model';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { heartRates, payload, WATCH } from '../api/push-payloads.js';
import { startDaemon } from '../support/daemon.js';
import { consoleTests } from './console-tests.js';
import { accessTokenOf } from './developer-client.js';
import { push } from './push.js';

const ago = (hours: number) => new Date(Date.now() - hours * MS_PER_HOUR).toISOString();
const BATCH = payload('apple', {
  records: heartRates(3, ago(5)),
  sleep: [{ id: 'a', stage: 'light', startDate: ago(12), endDate: ago(6), zoneOffset: '+01:00', source: WATCH }],
});
const PAGES = [
  ['/', '/users', '/users?search=Wanda&sort=name:asc', '/connections', '/runs?days=7', '/audit?days=7', '/coverage'],
  ['/providers', '/providers/google', '/priorities', '/api-keys', '/applications', '/developers', '/settings'],
  ['/trouble?provider=google&cause=consent_ended'],
].flat();
const TABS = ['activity', 'sleep', 'workouts', 'health', 'series?type=heart_rate&days=1', 'days', 'data'];

describe('commands on console pages', () => {
  let user = '';
  const tests = consoleTests(async () => {
    const daemon = await startDaemon({ env: { ADMIN_PASSWORD: 'correct horse battery' } });
    user = (await daemon.client.call(createUser, { body: { first_name: 'Wanda' } })).id;
    await push(daemon, user, BATCH);
    return daemon;
  });

  async function linesOf(page: Page, path: string): Promise<string[]> {
    await page.goto(`${tests.daemon.url}${path}`);
    await page.locator('.command code', { hasText: 'curl ' }).first().waitFor();
    // Skips the command that starts another service, because it is for the operator's machine.
    return (await page.locator('.command code').allTextContents()).filter((line) => !line.endsWith('npm start'));
  }

  /** Sends the request of a curl command, with these values for its variables. @returns the command and the status */
  async function answerTo(line: string, variables: Record<string, string>): Promise<[string, number]> {
    const [, header = '', address = ''] = /^curl(?: -H "([^"]+)")? '([^']+)'$/.exec(line) ?? [];
    const [name, value = ''] = header.split(': ');
    const headers = name ? { [name]: value.replace(/\$(\w+)/, (_, variable) => variables[variable] ?? '') } : undefined;
    return [line, (await fetch(address, { headers })).status];
  }

  it('appear without credentials on every page, with working curl versions', async () => {
    const { apiKey, password } = tests.daemon;
    const variables = { KEY: apiKey, TOKEN: await accessTokenOf(tests.daemon) };
    const page = await tests.open('/coverage');
    const tabs = [...TABS, 'connections', 'runs'].map((tab) => `/users/${user}/${tab}`);
    for (const path of [...PAGES, ...tabs]) {
      const lines = await linesOf(page, path);
      const [curl, others] = [
        lines.filter((one) => one.startsWith('curl ')),
        lines.filter((one) => !/^curl /.test(one)),
      ];
      // Some commands, such as an import, have no curl version.
      expect([path, others.length >= curl.length]).toEqual([path, true]);
      expect([path, curl.length > 0, others.every((one) => one.startsWith('healthctl '))]).toEqual([path, true, true]);
      for (const line of curl) expect(await answerTo(line, variables)).toEqual([line, 200]);
      for (const secret of [apiKey, password, variables.TOKEN]) expect(lines.join('\n')).not.toContain(secret);
    }
  });

  it('quote text from the URL for the shell', async () => {
    const page = await tests.open('/coverage');
    const bad = encodeURIComponent("x'; reboot; '");
    const lines = await linesOf(page, `/connections?user=${bad}`);
    expect(lines[0]).toBe(`healthctl connections list --user 'x'\\''; reboot; '\\'''`);
    expect(lines[1]?.match(/'/g)).toHaveLength(2);
  });
});
