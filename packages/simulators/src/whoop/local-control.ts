import type { Account } from './account.js';
import type { WhoopControl } from './control.js';
import { type HistoryOptions, madeUpHistory } from './history.js';
import type { Service } from './service.js';
import { truthOf } from './truth.js';
import type { RecordInput } from './wire-types.js';

/** Controls a simulator in this process. */
export function localControl(service: Service): WhoopControl {
  const { clock, grants, faults, webhooks } = service;
  const seeded = new Map<string, HistoryOptions>();
  const put = (account: Account, records: RecordInput, notify: boolean) => {
    const events = account.put(records, clock.now());
    if (notify) webhooks.publish(events);
  };
  return {
    addAccount: async (input = {}) => service.addAccount(input).facts,
    accounts: async () => service.accounts().map(({ facts }) => facts),

    now: async () => clock.now(),
    setClock: async (instant) => clock.set(instant),
    advanceClock: async (seconds) => clock.advance(seconds),

    put: async (id, records, { notify = true } = {}) => put(service.requireAccount(id), records, notify),
    async remove(id, subject, record, { notify = true } = {}) {
      const events = service.requireAccount(id).remove(subject, record);
      if (notify) webhooks.publish(events);
    },
    async setBody(id, body) {
      service.requireAccount(id).body = body;
    },
    async seedHistory(id, options = {}) {
      const account = service.requireAccount(id);
      const life = madeUpHistory(account.facts.timeZone, clock.nowMs(), options, account.forms);
      seeded.set(id, options);
      put(account, life, false);
      return { records: countOf(life) };
    },
    async growHistory(id, options = seeded.get(id) ?? {}) {
      const account = service.requireAccount(id);
      const news = newsFor(account, madeUpHistory(account.facts.timeZone, clock.nowMs(), options, account.forms));
      put(account, news, true);
      return { records: countOf(news) };
    },

    addFault: async (fault) => faults.add(fault),
    clearFaults: async () => faults.clear(),

    requests: async (path = '') => service.requests.filter((request) => request.path.includes(path)),
    async clearRequests() {
      service.requests = [];
      service.limit.clear();
    },
    peaks: async () => service.limit.peaks(),

    async setConsent(consent) {
      service.consent = consent;
    },
    revokeGrants: async (id) => grants.revoke(service.requireAccount(id).facts.id),
    expireAccessTokens: async (id) => grants.expireAccess(id),
    grantedScopes: async (id) => grants.liveOf(id).flatMap(({ scopes }) => scopes),

    async setWebhook(target) {
      webhooks.target = target;
    },
    flushDeliveries: (options) => webhooks.flush(options),
    sendEvent: (event, change) => webhooks.send(event, change),
    async deliveries() {
      await webhooks.settled();
      return webhooks.deliveries();
    },

    forms: async (id) => service.requireAccount(id).forms,
    truth: async (id) => truthOf(service.requireAccount(id)),
    reset: async () => service.reset(),
  };
}

/** Returns the generated data that the vendor does not have yet, or has in an older version. */
function newsFor(account: Account, life: RecordInput): RecordInput {
  const { cycles = [], sleeps = [], recoveries = [], workouts = [] } = life;
  return {
    cycles: cycles.filter(({ id, end }) => account.cycles.get(id)?.end !== end || !account.cycles.has(id)),
    sleeps: sleeps.filter(({ id, score_state }) => isNews(account.sleeps.get(id), score_state)),
    recoveries: recoveries.filter((one) => isNews(account.recoveries.get(one.sleep_id), one.score_state)),
    workouts: workouts.filter(({ id }) => !account.workouts.has(id)),
  };
}

function isNews(stored: { score_state: string } | undefined, state = 'SCORED'): boolean {
  return stored === undefined || stored.score_state !== state;
}

function countOf({ cycles = [], sleeps = [], recoveries = [], workouts = [] }: RecordInput): number {
  return cycles.length + sleeps.length + recoveries.length + workouts.length;
}
