import { authorizeProvider, createUser, diagnoseUser, listUserSyncRuns, requestProviderSync } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import type { GoogleSimulator } from '@healthd/simulators';
import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';
import type { ConsoleTests } from './console-tests.js';

const LONG = 120_000;

/** A user with an account at the simulated vendor. */
export interface GoogleUser {
  id: string;
  name: string;
  account: string;
}

/** Users of a service that reads the simulated Google Health. */
export class GoogleUsers {
  #count = 0;

  /** @param vendor returns the vendor once it has started */
  constructor(
    private readonly tests: ConsoleTests,
    private readonly vendor: () => GoogleSimulator,
  ) {}

  /** Creates a user, and a vendor account with steps from this many hours ago. */
  async add(hoursAgo = 1): Promise<GoogleUser> {
    const account = `person${++this.#count}`;
    const { control } = this.vendor();
    await control.addAccount({ id: account, timeZone: 'Europe/Berlin' });
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const minutes = hoursAgo * 60;
    await control.addPoints(account, [
      { dataType: 'steps', startTime: at(minutes), endTime: at(minutes - 5), value: 400, source: 'watch' },
    ]);
    const body = { first_name: 'Person', last_name: account };
    const { id } = await this.tests.daemon.client.call(createUser, { body });
    return { id, name: `Person ${account}`, account };
  }

  /** Completes a consent and waits until no run is open. @param without text in the scopes that the user denies */
  async connect({ id, account }: GoogleUser, without?: string): Promise<void> {
    const { client } = this.tests.daemon;
    const params = { provider: 'google' } as const;
    const { authorization_url } = await client.call(authorizeProvider, { params, query: { user_id: id } });
    const page = new URL(authorization_url);
    const form = new URLSearchParams({ account, decision: 'allow' });
    for (const scope of page.searchParams.get('scope')?.split(' ') ?? []) {
      if (without === undefined || !scope.includes(without)) form.append('scope', scope);
    }
    await fetch(page, { method: 'POST', body: form });
    await this.untilNoRunIsOpen(id);
  }

  async untilNoRunIsOpen(id: string): Promise<void> {
    const { client } = this.tests.daemon;
    const open = async () =>
      (await client.call(listUserSyncRuns, { params: { user_id: id }, query: {} })).filter(
        ({ ended_at }) => ended_at === null,
      ).length;
    await expect.poll(open, { timeout: LONG }).toBe(0);
  }

  sync(id: string) {
    const params = { provider: 'google', user_id: id } as const;
    return this.tests.daemon.client.call(requestProviderSync, { params, query: {} });
  }

  async causeIs(id: string, cause: string, provider: ProviderId = 'google'): Promise<void> {
    const causeOf = async () => {
      const { providers } = await this.tests.daemon.client.call(diagnoseUser, { params: { user_id: id }, query: {} });
      return providers.find((one) => one.provider === provider)?.cause;
    };
    await expect.poll(causeOf, { timeout: LONG }).toBe(cause);
  }
}

/** Navigates from home with two clicks: the group, then the user. */
export async function twoClicksFromHome(page: Page, group: string, name: string): Promise<void> {
  const row = page.getByRole('region', { name: 'Problems' }).getByRole('listitem').filter({ hasText: group });
  await row.getByRole('link').click();
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { name, exact: true }).waitFor();
}

/** Navigates from home with two clicks: the user list with its focused search, then the user. */
export async function twoClicksBySearch(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await page.getByRole('searchbox').fill(name);
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { name, exact: true }).waitFor();
}

/** Locates the diagnosis of a user's provider on the page. */
export function verdictOf(page: Page, provider = 'Google Health'): Locator {
  return page
    .getByRole('region', { name: 'Diagnosis' })
    .getByRole('listitem')
    .filter({ hasText: `${provider}:` });
}
