import { type Answer, json } from '../response.js';
import { bearer, type Call, type VendorCore } from '../vendor/index.js';
import type { WhoopAccount } from './account.js';
import { type Placed, page } from './collections.js';

type Handler = (account: WhoopAccount, call: Call, id: string, nowMs: number) => Answer | undefined;

interface Route {
  path: RegExp;
  scope: string;
  handle: Handler;
}

/** GET routes of version 2, below `/developer`. Recoveries cannot be read by id. */
const ROUTES: readonly Route[] = [
  { path: /^\/v2\/user\/profile\/basic$/, scope: 'read:profile', handle: (account) => json(200, profile(account)) },
  { path: /^\/v2\/user\/measurement\/body$/, scope: 'read:body_measurement', handle: ({ body }) => json(200, body) },
  {
    path: /^\/v2\/cycle$/,
    scope: 'read:cycles',
    handle: ({ cycles }, { query }, _, nowMs) => page(cycles.values(), (cycle) => cycle, query, nowMs),
  },
  { path: /^\/v2\/cycle\/(\d+)$/, scope: 'read:cycles', handle: ({ cycles }, _, id) => one(cycles.get(Number(id))) },
  {
    path: /^\/v2\/cycle\/(\d+)\/recovery$/,
    scope: 'read:recovery',
    handle: (account, _, id) => {
      const found = [...account.recoveries.values()].find(({ cycle_id }) => cycle_id === Number(id));
      return found && one(account.written(found));
    },
  },
  {
    path: /^\/v2\/recovery$/,
    scope: 'read:recovery',
    handle: (account, { query }, _, nowMs) =>
      page(
        account.recoveries.values(),
        ({ sleep_id }) => placeOfRecovery(account, sleep_id),
        query,
        nowMs,
        (recovery) => account.written(recovery),
      ),
  },
  {
    path: /^\/v2\/activity\/sleep$/,
    scope: 'read:sleep',
    handle: ({ sleeps }, { query }, _, nowMs) => page(sleeps.values(), (sleep) => sleep, query, nowMs),
  },
  { path: /^\/v2\/activity\/sleep\/([^/]+)$/, scope: 'read:sleep', handle: ({ sleeps }, _, id) => one(sleeps.get(id)) },
  {
    path: /^\/v2\/activity\/workout$/,
    scope: 'read:workout',
    handle: ({ workouts }, { query }, _, nowMs) => page(workouts.values(), (workout) => workout, query, nowMs),
  },
  {
    path: /^\/v2\/activity\/workout\/([^/]+)$/,
    scope: 'read:workout',
    handle: ({ workouts }, _, id) => one(workouts.get(id)),
  },
];

const REJECTION = json(401, { message: 'Unauthorized' });

/** Handles a data API request for the token's account. A missing scope is 401, as at the vendor. */
export function handleApiRequest(core: VendorCore<WhoopAccount>, call: Call): Answer {
  const grant = core.grants.opened(bearer(call));
  if (!grant) return REJECTION;
  const account = core.accounts.require(grant.account);
  const path = call.path.replace(/^\/developer/, '');
  if (call.method === 'DELETE' && path === '/v2/user/access') {
    core.grants.revoke(grant.account);
    return { status: 204, headers: {}, body: '' };
  }
  const route = call.method === 'GET' ? ROUTES.find((candidate) => candidate.path.test(path)) : undefined;
  if (!route) return json(404, { message: 'Not Found' });
  if (!grant.scopes.includes(route.scope)) return REJECTION;
  const id = route.path.exec(path)?.[1] ?? '';
  return route.handle(account, call, id, core.clock.nowMs()) ?? json(404, { message: 'Not Found' });
}

function one(record: object | undefined): Answer | undefined {
  return record && json(200, record);
}

function profile({ userId, facts: { email } }: WhoopAccount) {
  return { user_id: userId, email, first_name: 'Ada', last_name: 'Nowak' };
}

/** A recovery has the time of its sleep. */
function placeOfRecovery({ sleeps, recoveries }: WhoopAccount, sleepId: string): Placed {
  const created = recoveries.get(sleepId)?.created_at ?? '';
  return sleeps.get(sleepId) ?? { start: created, end: created };
}
