// Creates users with every problem that is quick to create, for screenshots of the console.
import { setTimeout as sleep } from 'node:timers/promises';

const USERS = [
  ['Grace', 'Okafor', { revoke: true }],
  ['Ingrid', 'Solberg', { revoke: true }],
  ['Mateo', 'Rivas', { without: 'sleep' }],
  ['Chiara', 'Bianchi', { fault: { kind: 'error', status: 503, match: { dataType: 'heart-rate' }, times: null } }],
  ['Yusuf', 'Demir', {}],
  ['Hanna', 'Lindqvist', undefined],
];

/** @param {(method: string, path: string, body?: object) => Promise<any>} call the API as a developer */
export async function createUsers(call) {
  const { total } = await call('GET', '/users?search=Okafor');
  if (total > 0) return;
  for (const [first_name, last_name, story] of USERS) {
    const email = `${first_name}.${last_name}@example.org`.toLowerCase();
    const { id } = await call('POST', '/users', { first_name, last_name, email });
    if (story) await live(call, id, `${first_name}-${last_name}`.toLowerCase(), story);
  }
}

async function live(call, userId, account, { revoke, without, fault }) {
  const { authorization_url: address } = await call('GET', `/oauth/google/authorize?user_id=${userId}`);
  const { connectGoogleSimulator } = await import('../packages/simulators/dist/index.js');
  const { control } = await connectGoogleSimulator(new URL(address).origin);
  await control.addAccount({ id: account, timeZone: 'Europe/Berlin' });
  await control.seedHistory(account, { seed: account.length, days: 5, density: 'light' });
  const page = new URL(address);
  const scopes = page.searchParams.get('scope').split(' ');
  const form = new URLSearchParams({ account, decision: 'allow' });
  for (const scope of scopes) if (!without || !scope.includes(without)) form.append('scope', scope);
  await fetch(page, { method: 'POST', body: form });
  const ended = async () => (await call('GET', `/users/${userId}/sync/runs`)).every((run) => run.ended_at !== null);
  while (!(await ended())) await sleep(500);
  if (revoke) {
    await control.revokeGrants(account);
    await control.expireAccessTokens(account);
  }
  if (fault) await control.addFault({ ...fault, match: { ...fault.match, account } });
  if (revoke || fault) await call('POST', `/providers/google/users/${userId}/sync`);
}
