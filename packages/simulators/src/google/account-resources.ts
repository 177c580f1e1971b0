import { type Answer, json } from '../answer.js';
import type { ApiRequest } from './api-request.js';
import { bindQuery } from './bind-members.js';
import { wireDuration, wireInstant } from './wire-times.js';

/** identity, settings, profile and paired devices. */
export function accountResource({ service, account, target, call }: ApiRequest): Answer {
  const paged = target.operation === 'pairedDevices';
  bindQuery(call.query, paged ? ['pageSize', 'pageToken'] : []);
  const name = `users/me/${target.operation}`;
  const nowMs = service.clock.nowMs();
  switch (target.operation) {
    case 'identity':
      return json(200, { name, legacyUserId: account.legacyUserId, healthUserId: account.healthUserId });
    case 'settings':
      return json(200, {
        name,
        timeZone: account.timeZone,
        utcOffset: wireDuration(account.calendar.offsetAt(nowMs) * 60),
        distanceUnit: 'DISTANCE_UNIT_KILOMETERS',
        weightUnit: 'WEIGHT_UNIT_KILOGRAMS',
        languageLocale: 'en_US',
      });
    case 'profile':
      return json(200, { name, age: 38 });
    default:
      return json(200, {
        pairedDevices: [
          {
            name: `users/me/pairedDevices/1${account.healthUserId.slice(0, 6)}`,
            deviceType: 'TRACKER',
            deviceVersion: 'Tracker Nova',
            batteryStatus: 'HIGH',
            batteryLevel: 83,
            lastSyncTime: wireInstant(Math.floor(nowMs / 1000) * 1000 - 900_000),
          },
        ],
      });
  }
}
