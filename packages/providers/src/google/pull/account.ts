import { ZoneOffsets } from '@healthd/model';
import { type VendorAccount, type VendorApi, VendorError } from '../../cloud/index.js';
import { isObject, textOf } from '../../payload/index.js';
import { SCOPES } from '../scopes.js';
import { memberAt, offsetMinutes } from './member-values.js';

/** Types whose points contain the UTC offset, with the required scope. */
const CLOCK_TYPES: readonly (readonly [id: string, member: string, scope: string])[] = [
  ['sleep', 'sleep.interval.endUtcOffset', SCOPES.sleep],
  ['exercise', 'exercise.interval.endUtcOffset', SCOPES.activity],
  ['heart-rate', 'heartRate.sampleTime.utcOffset', SCOPES.health],
];

/**
 * Returns the time zone or the UTC offset in the account's settings. If the user did not grant the settings, or set
 * neither of them, returns the offset of the newest point. Without any offset, dates are stored in UTC.
 * @throws VendorError
 */
export async function readAccount(api: VendorApi, scopes: ReadonlySet<string>): Promise<VendorAccount> {
  if (scopes.has(SCOPES.settings)) {
    const settings = await permitted(api.call({ path: '/v4/users/me/settings' }));
    const timeZone = isObject(settings) ? textOf(settings.timeZone) : undefined;
    if (timeZone !== undefined && new ZoneOffsets().at(timeZone, 0) !== undefined) return { timeZone, scopes };
    const offset = isObject(settings) ? offsetMinutes(settings.utcOffset) : undefined;
    if (offset !== undefined) return { offsetMinutes: offset, scopes };
  }
  return { offsetMinutes: await offsetOfNewest(api, scopes), scopes };
}

async function offsetOfNewest(api: VendorApi, scopes: ReadonlySet<string>): Promise<number | undefined> {
  for (const [id, member, scope] of CLOCK_TYPES) {
    if (!scopes.has(scope)) continue;
    const path = `/v4/users/me/dataTypes/${id}/dataPoints`;
    const page = await permitted(api.call({ path, query: { pageSize: 1 } }));
    const [newest] = isObject(page) && Array.isArray(page.dataPoints) ? page.dataPoints : [];
    const offset = isObject(newest) ? offsetMinutes(memberAt(newest, member)) : undefined;
    if (offset !== undefined) return offset;
  }
  return undefined;
}

/** Returns undefined if the scope is missing or the resource does not exist. */
async function permitted(response: Promise<unknown>): Promise<unknown> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof VendorError && (error.code === 'scope_missing' || error.code === 'not_found'))
      return undefined;
    throw error;
  }
}
