import { HealthdClient } from '@healthd/client';
import type { Daemon } from '../support/daemon.js';

/** Calls the service as the developer of its first start, for what no API key may do. */
export async function developerClient({ url, email, password }: Daemon): Promise<HealthdClient> {
  const form = new URLSearchParams({ username: email, password });
  const answer = await fetch(`${url}/api/v1/auth/login`, { method: 'POST', body: form });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return new HealthdClient({ baseUrl: url, authorize: async () => ({ Authorization: `Bearer ${token}` }) });
}
