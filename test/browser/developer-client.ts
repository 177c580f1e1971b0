import { HealthdClient } from '@healthd/client';
import type { Daemon } from '../support/daemon.js';

/** Calls the service as the developer of its first start, for what no API key may do. */
export async function developerClient(daemon: Daemon): Promise<HealthdClient> {
  const token = await accessTokenOf(daemon);
  return new HealthdClient({ baseUrl: daemon.url, authorize: async () => ({ Authorization: `Bearer ${token}` }) });
}

/** The access token of the developer of the first start. */
export async function accessTokenOf({ url, email, password }: Daemon): Promise<string> {
  const form = new URLSearchParams({ username: email, password });
  const answer = await fetch(`${url}/api/v1/auth/login`, { method: 'POST', body: form });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return token;
}
