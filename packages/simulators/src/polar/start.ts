import {
  authorize,
  type OAuthRules,
  oauthRole,
  oauthUrls,
  serveVendor,
  token,
  VendorCore,
  vendorControl,
  vendorFaultResponse,
} from '../vendor/index.js';
import { PolarAccount } from './account.js';
import { handleApiRequest } from './api.js';
import { madeUpLife, type PolarHistoryOptions } from './life.js';
import { RateLimit } from './rate-limit.js';
import type { PolarControl, PolarSimulator, PolarSimulatorOptions } from './simulator.js';
import { truthOf } from './truth.js';
import { Webhooks } from './webhooks.js';
import type { PolarInput } from './wire-types.js';

const FIRST_USER_ID = 60_417_701;
const PATHS = { authorize: '/oauth2/authorization', token: '/v2/oauth2/token' };
/** Lifetime of access tokens in seconds: ten years, as the vendor reports. */
const ACCESS_SECONDS = 315_359_999;
const SCOPE = 'accesslink.read_all';

/** The token response contains the account; there is no refresh token. */
function oauthOf(core: VendorCore<PolarAccount>): OAuthRules {
  return {
    vendor: 'Polar',
    scopes: [SCOPE],
    defaultScopes: [SCOPE],
    credentials: ['basic'],
    tokens: ({ account, accessToken }, expires_in) => ({
      access_token: accessToken,
      token_type: 'bearer',
      expires_in,
      x_user_id: Number(core.accounts.require(account).facts.userId),
    }),
  };
}

/** Starts a simulated Polar on a loopback port. */
export async function startPolarSimulator(options: PolarSimulatorOptions = {}): Promise<PolarSimulator> {
  const rules = { accessSeconds: ACCESS_SECONDS, refreshes: false };
  const core = new VendorCore('polar', options, rules, (facts) => new PolarAccount(facts));
  const oauth = oauthOf(core);
  const registered = () => core.accounts.all().filter(({ memberId }) => memberId !== undefined).length;
  const limit = new RateLimit(core.clock, registered, options.limits);
  const webhooks = new Webhooks(core);
  core.deliveries = webhooks.sender();
  const control = controlOf(core, webhooks, limit);
  const served = await serveVendor({
    state: core,
    control,
    port: options.port,
    roleOf: (path) => oauthRole(PATHS, path) ?? (path.startsWith('/v3/webhooks') ? 'operator' : 'api'),
    handlers: {
      authorize: (call) => authorize(core, oauth, call),
      token: (call) => token(core, oauth, call),
      operator: (call) => webhooks.answer(call),
      api: (call) => handleApiRequest(core, options.onlyAfterRegistration ?? false, call),
    },
    limit,
    faultResponse: vendorFaultResponse,
    factsOf: (origin) => ({
      urls: { origin, api: origin, ...oauthUrls(origin, PATHS) },
      client: { ...core.client },
    }),
  });
  return { ...served, control };
}

function controlOf(core: VendorCore<PolarAccount>, webhooks: Webhooks, limit: RateLimit): PolarControl {
  const { clock, accounts } = core;
  const seeded = new Map<string, PolarHistoryOptions>();
  const put = (id: string, input: PolarInput, notify: boolean) => {
    const account = accounts.require(id);
    const events = account.put(input, clock.now());
    if (notify && account.memberId !== undefined) core.deliveries?.publish(events);
  };
  const live = (id: string, options: PolarHistoryOptions, notify: boolean) => {
    const { facts, forms, nights } = accounts.require(id);
    const life = madeUpLife(facts.timeZone, clock.nowMs(), options, forms);
    for (const [date, seconds] of life.nights) nights.set(date, seconds);
    put(id, life.input, notify);
  };
  return {
    ...vendorControl(core, FIRST_USER_ID),
    put: async (id, input, { notify = true } = {}) => put(id, input, notify),
    items: async (id, collection) => [...accounts.require(id).items[collection].values()],
    async remove(id, collection, key) {
      accounts.require(id).items[collection].delete(key);
    },
    async setPhysical(id, physical) {
      const account = accounts.require(id);
      account.physical = physical ?? undefined;
      if (account.memberId !== undefined) core.deliveries?.publish([account.physicalChanged(clock.now())]);
    },
    async setConsented(id, consented) {
      accounts.require(id).hasConsented = consented;
    },
    async setMember(id, memberId) {
      accounts.require(id).memberId = memberId ?? undefined;
    },
    async seedHistory(id, options = {}) {
      seeded.set(id, options);
      live(id, options, false);
    },
    growHistory: async (id, options = seeded.get(id) ?? {}) => live(id, options, true),
    forms: async (id) => accounts.require(id).forms,
    webhooks: async () => webhooks.all(),
    deactivateWebhook: async () => webhooks.deactivate(),
    truth: async (id) => truthOf(accounts.require(id)),
    async reset() {
      core.reset();
      webhooks.clear();
      limit.clear();
    },
  };
}
