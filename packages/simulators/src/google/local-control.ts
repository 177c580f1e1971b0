import { accountFace } from './accounts.js';
import type { GoogleControl } from './control.js';
import { rankedSource } from './data-sources.js';
import { dataTypeCalled } from './data-types.js';
import { growHistory, seedHistory } from './history/grow-history.js';
import { CLOUD_PLATFORM } from './oauth/scopes.js';
import { LISTED } from './point-store.js';
import type { PointSelection } from './point-types.js';
import type { Service } from './service.js';
import { storedPoint } from './stored-points.js';
import { trueExercises, truePoints, trueSleeps, trueWindows } from './truth.js';

/** The control interface on a service in this process. */
export function localControl(service: Service): GoogleControl {
  const { accounts, clock, faults, grants, notifier, points, requests } = service;
  return {
    addAccount: async (input) => accountFace(accounts.add(input)),
    accounts: async () => accounts.all().map(accountFace),
    updateAccount: async (account, change) => accountFace(accounts.change(account, change)),

    now: async () => clock.now(),
    setClock: async (instant) => clock.set(instant),
    advanceClock: async (seconds) => clock.advance(seconds),

    async addPoints(account, inputs, { notify = true } = {}) {
      const { calendar } = accounts.get(account);
      const stored = inputs.map((input) => storedPoint(input, calendar));
      for (const point of stored) points.put(account, point);
      if (notify) notifier.pointsChanged(account, stored, 'UPSERT');
      return stored.map(({ id }) => id);
    },
    async deletePoints(account, selection) {
      accounts.get(account);
      const doomed = selected(service, account, selection);
      for (const point of doomed) points.remove(account, point);
      notifier.pointsChanged(account, doomed, 'DELETE');
      return doomed.length;
    },
    seedHistory: async (account, options) => ({ points: seedHistory(service, accounts.get(account), options) }),
    growHistory: async (account) => ({ points: growHistory(service, accounts.get(account)) }),

    addFault: async (fault) => faults.add(fault),
    faults: async () => faults.all(),
    clearFaults: async () => faults.clear(),

    requests: async (filter) => requests.find(filter),
    peakPerMinute: async () => requests.peakPerMinute(),
    requestCounts: async () => requests.countsByType(),
    clearRequests: async () => requests.clear(),

    async setConsent(consent) {
      service.consent = consent;
    },
    async revokeGrants(account) {
      const grant = grants.revoke(accounts.get(account).id);
      if (grant) notifier.consentEnded(grant);
    },
    expireAccessTokens: async (account) => grants.expireAccess(account),
    grantedScopes: async (account) => [...(grants.of(account)?.scopes ?? [])],

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

    truePoints: async (account, dataType, mode) => truePoints(points, accounts.get(account), dataType, mode),
    trueWindows: async (account, dataType, mode) => trueWindows(points, accounts.get(account), dataType, mode),
    trueSleeps: async (account) => trueSleeps(points, accounts.get(account)),
    trueExercises: async (account) => trueExercises(points, accounts.get(account)),

    reset: async () => service.reset(),
  };
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
