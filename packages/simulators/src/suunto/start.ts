import { createHmac, randomBytes } from 'node:crypto';
import { MS_PER_SECOND, SECONDS_PER_DAY } from '@healthd/model';
import { type Answer, json } from '../response.js';
import {
  AccountForms,
  authorize,
  bearer,
  type Call,
  Deliveries,
  type DeliveryChange,
  type OAuthRules,
  oauthRole,
  oauthUrls,
  serveVendor,
  token,
  VendorCore,
  vendorControl,
  vendorFaultResponse,
} from '../vendor/index.js';
import { SuuntoAccount } from './account.js';
import { handleApiRequest, productOf } from './api.js';
import { CHOICES, LIST_LAG_MS, notified, type SuuntoForms, written } from './forms.js';
import { madeUpLife, type SuuntoHistoryOptions } from './history.js';
import { RateLimit, rejectedResponse } from './rate-limit.js';
import type { SuuntoControl, SuuntoSimulator, SuuntoSimulatorOptions } from './simulator.js';
import { truthOf } from './truth.js';
import type { SuuntoProduct } from './wire-types.js';

const FIRST_USER_ID = 61_001;
const PATHS = { authorize: '/oauth/authorize', token: '/oauth/token', revoke: '/oauth/deauthorize' };
const SETTINGS = { SUBSCRIPTION_KEY: 'sim-suunto-subscription-key', WEBHOOK_SECRET: 'sim-suunto-notification-secret' };
/** The vendor's time limit for a response to a notification. */
const PATIENCE_MS = 2 * MS_PER_SECOND;

const OAUTH: OAuthRules = {
  vendor: 'Suunto',
  scopes: ['workout'],
  credentials: ['basic'],
  tokens: ({ accessToken, refreshToken, scopes }, expires_in) => ({
    access_token: accessToken,
    token_type: 'bearer',
    refresh_token: refreshToken,
    expires_in,
    scope: scopes.join(' '),
    ukv: '1',
    uk: 'k1',
  }),
};

/** Mutable state of the simulator. */
interface State {
  webhook: string | undefined;
  products: Map<SuuntoProduct, 401 | 403 | 404>;
}

/** Starts a simulated Suunto on a loopback port. */
export async function startSuuntoSimulator(options: SuuntoSimulatorOptions = {}): Promise<SuuntoSimulator> {
  const accessToken = (account: string) => jsonWebToken(core.accounts.require(account).facts.userId);
  const rules = { accessSeconds: SECONDS_PER_DAY - 1, refreshes: true, accessToken };
  const core: VendorCore<SuuntoAccount> = new VendorCore('suunto', options, rules, (facts) => new SuuntoAccount(facts));
  const limit = new RateLimit(core.clock, { perMinute: 10, perWeek: 200, ...options.limits });
  const state: State = { webhook: undefined, products: new Map() };
  core.deliveries = new Deliveries(() => state.webhook, signed, undefined, PATIENCE_MS);
  const forms = new AccountForms(CHOICES, core.accounts, options.formSeed);
  const control = controlOf(core, state, limit, forms);
  const served = await serveVendor({
    state: core,
    control,
    port: options.port,
    roleOf: (path) => oauthRole(PATHS, path) ?? 'api',
    handlers: {
      authorize: (call) => authorize(core, OAUTH, call),
      token: (call) => token(core, OAUTH, call),
      revoke: (call) => deauthorize(core, call),
      api: (call) => handleDataRequest(core, state, call),
    },
    limit,
    faultResponse: vendorFaultResponse,
    damaged: (fault, call, response) =>
      fault.kind === 'repeated_page' ? handleDataRequest(core, state, firstPage(call)) : response,
    factsOf: (origin) => ({
      urls: { origin, api: origin, ...oauthUrls(origin, PATHS) },
      client: { ...core.client },
      settings: { ...SETTINGS },
    }),
  });
  return { ...served, control };
}

/** Checks the subscription key first, then the product, then the user's token. */
function handleDataRequest(core: VendorCore<SuuntoAccount>, { products }: State, call: Call): Answer {
  const key = call.headers['ocp-apim-subscription-key'];
  if (key === undefined) return rejectedResponse(401, 'Access denied due to missing subscription key.');
  if (key !== SETTINGS.SUBSCRIPTION_KEY) return wrongKey();
  const product = productOf(call.path);
  const status = product && products.get(product);
  if (status === 401) return wrongKey();
  if (status !== undefined) return rejectedResponse(status, status === 403 ? 'Forbidden' : 'Resource not found');
  const grant = core.grants.opened(bearer(call));
  if (!grant) return json(401, { error: 'invalid_token', error_description: 'Invalid access token' });
  return handleApiRequest(core.accounts.require(grant.account), call, core.clock.nowMs());
}

function wrongKey(): Answer {
  return rejectedResponse(
    401,
    'Access denied due to invalid subscription key. Make sure to provide a valid key for an active subscription.',
  );
}

/** Handles the request that ends a consent, a GET with the user's token. */
function deauthorize(core: VendorCore<SuuntoAccount>, call: Call): Answer {
  const grant = core.grants.opened(bearer(call));
  if (!grant) return json(401, { error: 'invalid_token' });
  if (call.method !== 'GET' || call.query.get('client_id') !== core.client.id) return json(400, { error: 'client_id' });
  core.grants.revoke(grant.account);
  return json(200, {});
}

function firstPage(call: Call): Call {
  const query = new URLSearchParams(call.query);
  query.set('offset', '0');
  return { ...call, query };
}

/** The signature is fake, because only the vendor's servers check it. */
function jsonWebToken(user: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { user, scope: ['workout'], jti: randomBytes(12).toString('hex') };
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}.${randomBytes(24).toString('base64url')}`;
}

function signed(event: object, { secret = SETTINGS.WEBHOOK_SECRET }: DeliveryChange) {
  const body = JSON.stringify(event);
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return { body, headers: { 'content-type': 'application/json', 'x-hmac-sha256-signature': signature } };
}

function controlOf(
  core: VendorCore<SuuntoAccount>,
  state: State,
  limit: RateLimit,
  forms: AccountForms<SuuntoForms>,
): SuuntoControl {
  const { clock, accounts } = core;
  const seeded = new Map<string, SuuntoHistoryOptions>();
  const life = (id: string, options: SuuntoHistoryOptions) =>
    written(madeUpLife(accounts.require(id).facts.timeZone, clock.nowMs(), options), forms.of(id));
  return {
    ...vendorControl(core, FIRST_USER_ID),
    setForms: async (forced) => forms.force(forced),
    forms: async (id) => forms.of(id),
    async setWebhook({ url }) {
      state.webhook = url;
    },
    async setProduct(product, status) {
      if (status === null) state.products.delete(product);
      else state.products.set(product, status);
    },
    async put(id, input, { notify = true } = {}) {
      const messages = accounts.require(id).put(input, clock.nowMs());
      if (notify) core.deliveries?.publish(messages);
    },
    async removeWorkout(id, key) {
      const account = accounts.require(id);
      account.workouts.delete(key);
      account.files.delete(key);
    },
    async seedHistory(id, options = {}) {
      seeded.set(id, options);
      accounts.require(id).put(life(id, options));
    },
    async growHistory(id, options = seeded.get(id) ?? {}) {
      const [account, own] = [accounts.require(id), forms.of(id)];
      const messages = account.put(life(id, options), clock.nowMs());
      if (own.list === 'behind') account.holdBack(messages, clock.nowMs() + LIST_LAG_MS);
      core.deliveries?.publish(messages.map((message) => notified(message, own)));
    },
    truth: async (id) => truthOf(accounts.require(id)),
    async reset() {
      core.reset();
      forms.clear();
      limit.clear();
      state.webhook = undefined;
      state.products.clear();
    },
  };
}
