import { commonControl } from '../vendor/index.js';
import { identityOf } from './account.js';
import { apiTarget } from './api-paths.js';
import type { GoogleControl, GoogleRequestRecord, RequestFilter } from './control.js';
import { rankedSource } from './data-sources.js';
import { dataTypeCalled } from './data-types.js';
import { growHistory, seedHistory } from './history/grow-history.js';
import { CLOUD_PLATFORM } from './oauth/scopes.js';
import { LISTED } from './point-store.js';
import type { PointSelection } from './point-types.js';
import type { Service } from './service.js';
import { storedPoint } from './stored-points.js';
import { trueExercises, truePoints, trueSleeps, trueWindows } from './truth.js';

/** Creates the control interface of a service in this process. */
export function localControl(service: Service): GoogleControl {
  const { faults, grants, notifier, accounts, points, quota } = service;
  const common = commonControl(service);
  return {
    ...common,
    async addAccount({ id = `account-${accounts.all().length + 1}`, timeZone = 'Europe/Berlin', ...change } = {}) {
      const { healthUserId: userId } = identityOf(id);
      const account = accounts.add({ id, userId, email: `${id}@example.org`, timeZone }, 1);
      account.change(change);
      return account.face();
    },
    accounts: async () => accounts.all().map((account) => account.face()),
    async updateAccount(id, change) {
      const account = accounts.require(id);
      account.change(change);
      return account.face();
    },

    async addPoints(account, inputs, { notify = true } = {}) {
      const { calendar } = accounts.require(account);
      const stored = inputs.map((input) => storedPoint(input, calendar));
      for (const point of stored) points.put(account, point);
      if (notify) notifier.pointsChanged(account, stored, 'UPSERT');
      return stored.map(({ id }) => id);
    },
    async deletePoints(account, selection) {
      accounts.require(account);
      const doomed = selected(service, account, selection);
      for (const point of doomed) points.remove(account, point);
      notifier.pointsChanged(account, doomed, 'DELETE');
      return doomed.length;
    },
    seedHistory: async (account, options) => ({ points: seedHistory(service, accounts.require(account), options) }),
    growHistory: async (account) => ({ points: growHistory(service, accounts.require(account)) }),

    faults: async () => faults.all(),

    requests: async (filter = {}) => service.requests.map(withTarget).filter((record) => isMatch(record, filter)),
    peakPerMinute: async () => quota.peakPerMinute(),
    requestCounts: async () => quota.countsByType(),
    async clearRequests() {
      await common.clearRequests();
      quota.clear();
    },

    /** Notifies subscribers with DELETE. */
    async revokeGrants(account) {
      const [grant] = grants.liveOf(accounts.require(account).id);
      await common.revokeGrants(account);
      if (grant) notifier.consentEnded(grant);
    },

    async setBehaviour(behaviour) {
      Object.assign(service.behaviour, behaviour);
    },
    subscribers: async () => service.subscribers.all().map((subscriber) => service.subscribers.resource(subscriber)),
    deliveries: async () => notifier.deliveries(),
    flushDeliveries: () => notifier.flush(),
    rotateSignatureKey: async () => service.signatureKeys.rotate(),

    serviceAccountKey: async () => service.serviceAccount.keyFile(service.urls().token),
    authorizedUser: async () => ({
      type: 'authorized_user',
      client_id: service.client.id,
      client_secret: service.client.secret,
      refresh_token: grants.issueOperatorRefresh([CLOUD_PLATFORM]),
      quota_project_id: service.projectId,
    }),

    truePoints: async (account, dataType, mode) => truePoints(points, accounts.require(account), dataType, mode),
    trueWindows: async (account, dataType, mode) => trueWindows(points, accounts.require(account), dataType, mode),
    trueSleeps: async (account) => trueSleeps(points, accounts.require(account)),
    trueExercises: async (account) => trueExercises(points, accounts.require(account)),
  };
}

function withTarget(record: GoogleRequestRecord): GoogleRequestRecord {
  const { dataType, operation } = (record.role === 'api' && apiTarget(record.method, record.path)) || {};
  return { ...record, dataType, operation };
}

function isMatch(record: GoogleRequestRecord, { path = '', ...equal }: RequestFilter): boolean {
  const members = Object.entries(equal) as [keyof GoogleRequestRecord, unknown][];
  return record.path.includes(path) && members.every(([name, value]) => record[name] === value);
}

function selected(service: Service, account: string, { dataType, ids, source, from, to }: PointSelection) {
  const rank = source === undefined ? undefined : rankedSource(source).rank;
  const [fromMs, toMs] = [from ?? '0000-01-01', to ?? '9999-01-01'].map((text) => Date.parse(text));
  return service.points
    .stream(account, dataTypeCalled(dataType).id, LISTED)
    .filter((point) => ids === undefined || ids.includes(point.id))
    .filter((point) => rank === undefined || point.source.rank === rank)
    .filter((point) => point.startMs >= fromMs! && point.startMs < toMs!);
}
