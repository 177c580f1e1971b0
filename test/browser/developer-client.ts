import { HealthdClient } from '@healthd/client';
import type { Daemon } from '../support/daemon.js';

/** Returns a client that calls the service as the first start's developer, for routes without API key access. */
export async function developerClient(daemon: Daemon): Promise<HealthdClient> {
  const token = await accessTokenOf(daemon);
  return new HealthdClient({ baseUrl: daemon.url, authorize: async () => ({ Authorization: `Bearer ${token}` }) });
}

/** Returns the access token of the first start's developer. */
export async function accessTokenOf({ url, email, password }: Daemon): Promise<string> {
  const form = new URLSearchParams({ username: email, password });
  const response = await fetch(`${url}/api/v1/auth/login`, { method: 'POST', body: form });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return token;
}
