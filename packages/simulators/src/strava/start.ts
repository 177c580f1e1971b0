import { SECONDS_PER_HOUR } from '@healthd/model';
import {
  authorize,
  type Call,
  type OAuthRules,
  oauthRole,
  oauthUrls,
  revoke,
  serveVendor,
  token,
  VendorCore,
  vendorControl,
  vendorFaultResponse,
} from '../vendor/index.js';
import { type ReportedChange, StravaAccount } from './account.js';
import { failure, handleApiRequest, READ_ALL, ROOT } from './api.js';
import { madeUpLife, type StravaHistoryOptions } from './history.js';
import { RateLimit } from './rate-limit.js';
import type { StravaControl, StravaSimulator, StravaSimulatorOptions } from './simulator.js';
import { Subscriptions } from './subscriptions.js';
import { truthOf } from './truth.js';

const FIRST_USER_ID = 30_211_177;
const PATHS = { authorize: '/oauth/authorize', token: '/oauth/token', revoke: '/oauth/revoke' };
const ACCESS_SECONDS = 6 * SECONDS_PER_HOUR;
const SCOPES = [
  'read',
  'read_all',
  'profile:read_all',
  'profile:write',
  'activity:read',
  'activity:read_all',
  'activity:write',
];

const WRONG = {
  client: ['Application', 'client_id'],
  code: ['AuthorizationCode', 'code'],
  refresh_token: ['RefreshToken', 'refresh_token'],
} as const;

/** Commas separate scopes. The token response contains no scopes, and errors do not have the OAuth format. */
function oauthOf(core: VendorCore<StravaAccount>): OAuthRules {
  return {
    vendor: 'Strava',
    scopes: SCOPES,
    separator: ',',
    credentials: ['body', 'basic'],
    sentBack: (granted) => ({ scope: granted.join(',') }),
    tokens: ({ account, accessToken, refreshToken }, expires_in, isNew) => ({
      token_type: 'Bearer',
      expires_at: Math.floor(core.clock.nowMs() / 1000) + expires_in,
      expires_in,
      refresh_token: refreshToken,
      access_token: accessToken,
      ...(isNew && { athlete: { id: Number(core.accounts.require(account).facts.userId), firstname: account } }),
    }),
    refusal: (what) => failure(what === 'client' ? 401 : 400, 'Bad Request', WRONG[what][0], WRONG[what][1], 'invalid'),
  };
}

/** Starts a simulated Strava on a loopback port. */
export async function startStravaSimulator(options: StravaSimulatorOptions = {}): Promise<StravaSimulator> {
  const rules = { accessSeconds: ACCESS_SECONDS, refreshes: true, keepsAccessAboveSeconds: SECONDS_PER_HOUR };
  const core = new VendorCore('strava', options, rules, (facts) => new StravaAccount(facts));
  const oauth = oauthOf(core);
  const limits = { perQuarter: 200, perDay: 2_000, readsPerQuarter: 100, readsPerDay: 1_000, ...options.limits };
  const limit = new RateLimit(core.clock, limits);
  const subscriptions = new Subscriptions(core);
  core.deliveries = subscriptions.sender();
  const control = controlOf(core, subscriptions, limit);
  const served = await serveVendor({
    state: core,
    control,
    port: options.port,
    roleOf: (path) => oauthRole(PATHS, path) ?? (path.startsWith(`${ROOT}/push_subscriptions`) ? 'operator' : 'api'),
    handlers: {
      authorize: (call) => authorize(core, oauth, call),
      token: (call) => token(core, oauth, call),
      revoke: (call) => revoke(core, oauth, call),
      operator: (call) => subscriptions.answer(call),
      api: (call) => handleApiRequest(core, call),
    },
    limit,
    faultResponse: vendorFaultResponse,
    damaged: (fault, call, response) =>
      fault.kind === 'repeated_page' ? { ...response, body: handleApiRequest(core, firstPage(call)).body } : response,
    factsOf: (origin) => ({
      urls: { origin, api: `${origin}${ROOT}`, ...oauthUrls(origin, PATHS) },
      client: { ...core.client },
    }),
  });
  return { ...served, control };
}

function firstPage(call: Call): Call {
  const query = new URLSearchParams(call.query);
  query.set('page', '1');
  return { ...call, query };
}

function controlOf(core: VendorCore<StravaAccount>, subscriptions: Subscriptions, limit: RateLimit): StravaControl {
  const { clock, grants, accounts } = core;
  const seeded = new Map<string, StravaHistoryOptions>();
  const seesPrivate = (id: string) => grants.liveOf(id).some(({ scopes }) => scopes.includes(READ_ALL));
  const publish = (id: string, changes: readonly ReportedChange[], notify: boolean) => {
    // The vendor sends no events about users who granted no activity scope.
    const isReported = grants.liveOf(id).some(({ scopes }) => scopes.some((scope) => scope.startsWith('activity:')));
    if (notify && isReported) core.deliveries?.publish(changes.map((change) => subscriptions.eventOf(change)));
  };
  const life = (id: string, options: StravaHistoryOptions) =>
    madeUpLife(accounts.require(id).facts.timeZone, clock.nowMs(), options, accounts.require(id).forms);
  return {
    ...vendorControl(core, FIRST_USER_ID),
    put: async (id, input, { notify = true } = {}) =>
      publish(id, accounts.require(id).put(input, seesPrivate(id)), notify),
    remove: async (id, activity, { notify = true } = {}) =>
      publish(id, accounts.require(id).remove(activity, seesPrivate(id)), notify),
    async deauthorize(id) {
      publish(id, [accounts.require(id).deauthorized()], true);
      grants.revoke(id);
    },
    async seedHistory(id, options = {}) {
      seeded.set(id, options);
      accounts.require(id).put(life(id, options), true);
    },
    growHistory: async (id, options = seeded.get(id) ?? {}) =>
      publish(id, accounts.require(id).put(life(id, options), seesPrivate(id)), true),
    subscriptions: async () => subscriptions.all(),
    forms: async (id) => accounts.require(id).forms,
    truth: async (id) => truthOf(accounts.require(id)),
    async reset() {
      core.reset();
      subscriptions.clear();
      limit.clear();
    },
  };
}
