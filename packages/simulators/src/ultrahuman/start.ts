import { SECONDS_PER_DAY } from '@healthd/model';
import { Calendar } from '../calendar.js';
import { type Answer, json } from '../response.js';
import {
  type AccountFacts,
  AccountForms,
  authorize,
  bearer,
  type Call,
  type OAuthRules,
  oauthRole,
  oauthUrls,
  revoke,
  serveVendor,
  token,
  type VendorControl,
  VendorCore,
  type VendorOptions,
  vendorControl,
  vendorFaultResponse,
} from '../vendor/index.js';
import { CHOICES, dayBody, namedZone, type UltrahumanForms } from './forms.js';
import { madeUpDays, type RingDay, type UltrahumanHistoryOptions } from './life.js';

const FIRST_USER_ID = 55_001;
const BASE = '/api/partners/v1';
const PATHS = {
  authorize: '/authorise',
  token: '/api/partners/oauth/token',
  revoke: '/api/partners/oauth/revoke',
};

const OAUTH: OAuthRules = {
  vendor: 'Ultrahuman',
  scopes: ['profile', 'ring_data', 'cgm_data'],
  credentials: ['body'],
  tokens: ({ accessToken, refreshToken, scopes }, expires_in) => ({
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in,
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  }),
};

interface UltrahumanSimulatorOptions extends VendorOptions {
  /** Seed of each account's formats. Default 1. */
  formSeed?: number;
}

/** Control interface for tests, outside of the vendor's API. */
interface UltrahumanControl extends VendorControl {
  /** Overrides formats of all accounts. Formats that are not set are random for each account. */
  setForms(forms: Partial<UltrahumanForms>): Promise<void>;
  /** Returns the formats of an account. */
  forms(account: string): Promise<UltrahumanForms>;
  /** Stores or changes days. */
  putDays(account: string, days: RingDay[]): Promise<void>;
  /** Stores generated history until now. The same seed and end yield the same days. */
  seedHistory(account: string, options?: UltrahumanHistoryOptions): Promise<void>;
  /** Adds the generated data since the last call. @param options the same as for seedHistory */
  growHistory(account: string, options?: UltrahumanHistoryOptions): Promise<void>;
  /** Returns the data that a client must have after a complete sync, oldest day first. */
  truth(account: string): Promise<RingDay[]>;
}

/** A running simulated Ultrahuman. */
export interface UltrahumanSimulator {
  /** URLs for the client's settings, all on one loopback origin. */
  urls: { origin: string; api: string; authorize: string; token: string; revoke: string };
  client: { id: string; secret: string };
  control: UltrahumanControl;
  close(): Promise<void>;
}

interface Wearer {
  facts: AccountFacts;
  days: Map<string, RingDay>;
}

/** Starts a simulated Ultrahuman on a loopback port. */
export async function startUltrahumanSimulator(options: UltrahumanSimulatorOptions = {}): Promise<UltrahumanSimulator> {
  const rules = { accessSeconds: SECONDS_PER_DAY - 1, refreshes: true };
  const create = (facts: AccountFacts): Wearer => ({ facts, days: new Map() });
  const core = new VendorCore('ultrahuman', options, rules, create);
  const forms = new AccountForms(CHOICES, core.accounts, options.formSeed);
  const control = controlOf(core, forms);
  const served = await serveVendor({
    state: core,
    control,
    port: options.port,
    roleOf: (path) => oauthRole(PATHS, path) ?? 'api',
    handlers: {
      authorize: (call) => authorize(core, OAUTH, call),
      token: (call) => token(core, OAUTH, call),
      revoke: (call) => revoke(core, OAUTH, call),
      api: (call) => handleApiRequest(core, forms, call),
    },
    faultResponse: vendorFaultResponse,
    factsOf: (origin) => ({
      urls: { origin, api: `${origin}${BASE}`, ...oauthUrls(origin, PATHS) },
      client: { ...core.client },
    }),
  });
  return { ...served, control };
}

/**
 * Handles a data API request. Responds 403 with an empty body to a user info request without the profile scope, and to
 * a metrics request that has neither the ring scope nor the glucose scope.
 */
function handleApiRequest(core: VendorCore<Wearer>, allForms: AccountForms<UltrahumanForms>, call: Call): Answer {
  const grant = core.grants.opened(bearer(call));
  const wearer = grant && core.accounts.find(grant.account);
  if (!grant || !wearer) return json(401, { data: null, error: 'Unauthorized', status: 401 });
  const forbidden = { status: 403, headers: {}, body: '' };
  const { id, userId, email, timeZone } = wearer.facts;
  const forms = allForms.of(id);
  if (call.path === `${BASE}/user_data/user_info`) {
    if (!grant.scopes.includes('profile')) return forbidden;
    const info = { user_id: userId, username: null, email, name: id, timezone: namedZone(forms, timeZone) };
    return json(200, forms.day === 'list' ? info : { data: info, error: null, status: 200 });
  }
  if (call.path !== `${BASE}/user_data/metrics`) return json(404, { data: null, error: 'Not Found', status: 404 });
  if (!grant.scopes.some((scope) => scope !== 'profile')) return forbidden;
  const date = call.query.get('date') ?? '';
  // The vendor reports this failure with a success status.
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return json(200, { data: null, error: 'Invalid date', status: 400 });
  const today = new Calendar(timeZone).dateOf(core.clock.nowMs());
  if (date > today) return json(404, { data: null, error: 'Date is in the future', status: 404 });
  return json(
    200,
    dayBody(wearer.days.get(date), date, forms, { timeZone, withGlucose: grant.scopes.includes('cgm_data') }),
  );
}

function controlOf(core: VendorCore<Wearer>, forms: AccountForms<UltrahumanForms>): UltrahumanControl {
  const { clock, accounts } = core;
  const seeded = new Map<string, UltrahumanHistoryOptions>();
  const put = (id: string, days: readonly RingDay[]) => {
    for (const day of days) accounts.require(id).days.set(day.date, day);
  };
  const life = (id: string, options: UltrahumanHistoryOptions) =>
    madeUpDays(accounts.require(id).facts.timeZone, clock.nowMs(), options);
  return {
    ...vendorControl(core, FIRST_USER_ID),
    setForms: async (forced) => forms.force(forced),
    forms: async (id) => forms.of(id),
    putDays: async (id, days) => put(id, days),
    async seedHistory(id, options = {}) {
      seeded.set(id, options);
      put(id, life(id, options));
    },
    growHistory: async (id, options = seeded.get(id) ?? {}) => put(id, life(id, options)),
    async reset() {
      core.reset();
      forms.clear();
    },
    truth: async (id) => [...accounts.require(id).days.values()].sort((a, b) => a.dayStart - b.dayStart),
  };
}
