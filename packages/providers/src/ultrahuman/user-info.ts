import { isZoneName } from '@healthd/model';
import type { VendorApi } from '../cloud/index.js';
import { idOf, isObject, type PayloadObject, textOf } from '../payload/index.js';

/** What the vendor says of the person. */
export interface UserInfo {
  userId: string | undefined;
  username: string | undefined;
  /** IANA name. */
  timeZone: string | undefined;
}

/** Whose account it is; the answer may be wrapped. @throws VendorError */
export async function readUserInfo(api: VendorApi): Promise<UserInfo> {
  const answer = await api.call({ path: '/user_data/user_info' });
  const wrapped = isObject(answer) && isObject(answer.data) ? answer.data : answer;
  const info: PayloadObject = isObject(wrapped) ? wrapped : {};
  return {
    userId: idOf(info.user_id),
    username: textOf(info.username) ?? textOf(info.email),
    timeZone: zoneOf(info.timezone) ?? zoneOf(info.time_zone) ?? zoneOf(info.latest_time_zone),
  };
}

/** The name of a zone that this runtime knows. */
export function zoneOf(value: unknown): string | undefined {
  const name = textOf(value);
  return name !== undefined && isZoneName(name) ? name : undefined;
}
