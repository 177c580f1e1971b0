import type { Account } from './account.js';
import type { GarminControl } from './control.js';
import { runExports } from './exports.js';
import { type GarminHistoryOptions, madeUpLife } from './history.js';
import type { Service } from './service.js';
import { truthOf } from './truth.js';
import { type GarminItem, type GarminItems, SUMMARY_KEYS, type SummaryKey } from './wire-types.js';

/** Controls a simulator in this process. */
export function localControl(service: Service): GarminControl {
  const { clock, grants, faults, pushes } = service;
  const seeded = new Map<string, GarminHistoryOptions>();
  const put = (account: Account, items: GarminItems, push: boolean) => {
    account.put(items);
    if (push && account.connectedMs !== undefined) service.publish(account, items);
  };
  return {
    addAccount: async (input = {}) => service.addAccount(input).facts,
    formsOf: async (id) => service.requireAccount(id).forms,
    async setForms(id, forms) {
      const account = service.requireAccount(id);
      account.forms = { ...account.forms, ...forms };
    },
    accounts: async () => service.accounts().map(({ facts }) => facts),

    now: async () => clock.now(),
    setClock: async (instant) => clock.set(instant),
    async advanceClock(seconds) {
      clock.advance(seconds);
      runExports(service);
    },

    put: async (id, items, { push = true } = {}) => put(service.requireAccount(id), items, push),
    async seedHistory(id, options = {}) {
      const account = service.requireAccount(id);
      const life = madeUpLife(account.facts, clock.nowMs(), options);
      seeded.set(id, options);
      put(account, life, false);
      return { items: countOf(life) };
    },
    async growHistory(id, options = seeded.get(id) ?? {}) {
      const account = service.requireAccount(id);
      const news = newsFor(account, madeUpLife(account.facts, clock.nowMs(), options));
      put(account, news, true);
      return { items: countOf(news) };
    },

    addFault: async (fault) => faults.add(fault),
    clearFaults: async () => faults.clear(),
    async disableSummaries(keys) {
      service.disabledKeys.clear();
      for (const key of keys) service.disabledKeys.add(key);
    },

    requests: async (path = '') => service.requests.filter((request) => request.path.includes(path)),
    async clearRequests() {
      service.requests = [];
    },

    async setConsent(consent) {
      service.consent = consent;
    },
    async setPermissionsShape(shape) {
      service.barePermissions = shape === 'bare';
    },
    expireAccessTokens: async (id) => grants.expireAccess(id),
    revokeGrants: async (id) => grants.revoke(service.requireAccount(id).facts.id),
    isConnected: async (id) => grants.hasLive(service.requireAccount(id).facts.id),
    async deregister(id) {
      const account = service.requireAccount(id);
      service.deregister(account);
      pushes.notify('deregistrations', { userId: account.facts.userId });
    },
    async changePermissions(id, permissions) {
      const account = service.requireAccount(id);
      account.permissions = permissions;
      const changeTimeInSeconds = Math.floor(clock.nowMs() / 1000);
      const { userId } = account.facts;
      const summaryId = `${userId.slice(0, 8)}-${changeTimeInSeconds.toString(16)}`;
      pushes.notify('userPermissionsChange', { userId, summaryId, permissions, changeTimeInSeconds });
    },

    async setPushTarget(target) {
      pushes.target = target;
    },
    flushPushes: (options) => pushes.flush(options),
    sendBody: (body, headers) => pushes.send(body, headers),
    async pushes() {
      await pushes.settled();
      return pushes.pushes();
    },
    waitingItems: async () => pushes.waiting,

    async setExportDelay(seconds) {
      service.exportDelaySeconds = seconds;
    },
    runExports: async (options) => runExports(service, options),
    openExports: async () => service.exports.map(({ dueMs: _, ...one }) => one),

    async summaries(id) {
      const account = service.requireAccount(id);
      const { userId } = account.facts;
      const lists = SUMMARY_KEYS.map((key) => [key, account.items(key).map((item) => ({ userId, ...item }))]);
      return Object.fromEntries(lists) as GarminItems;
    },
    truth: async (id) => truthOf(service.requireAccount(id)),
    reset: async () => service.reset(),
  };
}

/** Returns the generated data that the vendor does not have yet, or has in an older version. */
function newsFor(account: Account, life: GarminItems): GarminItems {
  const news = Object.entries(life).map(([key, list]) => [
    key,
    list.filter((item: GarminItem) => !account.has(key as SummaryKey, item)),
  ]);
  return Object.fromEntries(news) as GarminItems;
}

function countOf(items: GarminItems): number {
  return Object.values(items).reduce((sum, list) => sum + list.length, 0);
}
