import { SECONDS_PER_DAY } from '@healthd/model';
import {
  AccountForms,
  authorize,
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
import { OuraAccount } from './account.js';
import { handleApiRequest, repeatedPage } from './api.js';
import { CHOICES, type OuraForms, written } from './forms.js';
import { madeUpLife, type OuraHistoryOptions } from './history.js';
import { RateLimit } from './rate-limit.js';
import type { OuraControl, OuraSimulator, OuraSimulatorOptions } from './simulator.js';
import { Subscriptions } from './subscriptions.js';
import { truthOf } from './truth.js';
import type { OuraInput } from './wire-types.js';

const FIRST_USER_ID = 9_001;
const PATHS = {
  authorize: '/oauth/authorize',
  token: '/oauth/v2/ext/oauth-token',
  revoke: '/oauth/v2/ext/oauth-revoke',
};
const PREFIX = 'extapi:';
const SCOPES = [
  'email',
  'personal',
  'daily',
  'heartrate',
  'workout',
  'tag',
  'session',
  'spo2',
  'ring_configuration',
  'stress',
  'heart_health',
].map((name) => `${PREFIX}${name}`);

/** Oura's OAuth rules. The redirect URL contains the granted scopes, and the token response does not. */
const OAUTH: OAuthRules = {
  vendor: 'Oura',
  scopes: SCOPES,
  // Names work with and without prefix.
  scopeName: (scope) => SCOPES.find((name) => name === scope || name === `${PREFIX}${scope}`),
  defaultScopes: SCOPES,
  credentials: ['body', 'basic'],
  tokens: ({ accessToken, refreshToken }, expires_in) => ({
    token_type: 'bearer',
    access_token: accessToken,
    expires_in,
    refresh_token: refreshToken,
  }),
};

function sentBack(forms: AccountForms<OuraForms>): NonNullable<OAuthRules['sentBack']> {
  return (granted, account) => {
    const isBare = forms.of(account).scopes === 'bare';
    const names = isBare ? granted.map((name) => name.slice(PREFIX.length)) : granted;
    return { scope: names.join(' '), iss: 'https://moi.example.com' };
  };
}

/** Starts a simulated Oura on a loopback port. */
export async function startOuraSimulator(options: OuraSimulatorOptions = {}): Promise<OuraSimulator> {
  const { accessTokenSeconds = SECONDS_PER_DAY, limits } = options;
  const rules = { accessSeconds: accessTokenSeconds, refreshes: true };
  const core = new VendorCore('oura', options, rules, (facts) => new OuraAccount(facts));
  const limit = new RateLimit(core.clock, { perFiveMinutes: 5_000, ...limits });
  const subscriptions = new Subscriptions(core);
  core.deliveries = subscriptions.sender();
  const forms = new AccountForms(CHOICES, core.accounts, options.formSeed);
  const control = controlOf(core, subscriptions, limit, forms);
  const served = await serveVendor({
    state: core,
    control,
    port: options.port,
    roleOf: (path) => oauthRole(PATHS, path) ?? (path.startsWith('/v2/webhook/') ? 'operator' : 'api'),
    handlers: {
      authorize: (call) => authorize(core, { ...OAUTH, sentBack: sentBack(forms) }, call),
      token: (call) => token(core, OAUTH, call),
      revoke: (call) => revoke(core, OAUTH, call),
      operator: (call) => subscriptions.answer(call),
      api: (call) => handleApiRequest(core, call, forms),
    },
    limit,
    faultResponse: vendorFaultResponse,
    damaged: (fault, call, response) => (fault.kind === 'repeated_page' ? repeatedPage(call, response) : response),
    factsOf: (origin) => ({
      urls: { origin, api: origin, ...oauthUrls(origin, PATHS) },
      client: { ...core.client },
    }),
  });
  return { ...served, control };
}

function controlOf(
  core: VendorCore<OuraAccount>,
  subscriptions: Subscriptions,
  limit: RateLimit,
  forms: AccountForms<OuraForms>,
): OuraControl {
  const { clock, accounts } = core;
  const seeded = new Map<string, OuraHistoryOptions>();
  const put = (id: string, input: OuraInput, notify: boolean) => {
    const events = accounts.require(id).put(input, clock.now());
    if (notify) core.deliveries?.publish(events);
  };
  const life = (id: string, options: OuraHistoryOptions) =>
    written(madeUpLife(accounts.require(id).facts.timeZone, clock.nowMs(), options), forms.of(id));
  return {
    ...vendorControl(core, FIRST_USER_ID),
    setForms: async (forced) => forms.force(forced),
    forms: async (id) => forms.of(id),
    put: async (id, input, { notify = true } = {}) => put(id, input, notify),
    async remove(id, collection, document, { notify = true } = {}) {
      const events = accounts.require(id).remove(collection, document, clock.now());
      if (notify) core.deliveries?.publish(events);
    },
    async setInfo(id, info) {
      const account = accounts.require(id);
      account.info = { ...account.info, ...info };
    },
    async seedHistory(id, options = {}) {
      seeded.set(id, options);
      put(id, life(id, options), false);
    },
    growHistory: async (id, options = seeded.get(id) ?? {}) => put(id, life(id, options), true),
    subscriptions: async () => subscriptions.all(),
    truth: async (id) => truthOf(accounts.require(id)),
    async reset() {
      core.reset();
      forms.clear();
      subscriptions.clear();
      limit.clear();
    },
  };
}
