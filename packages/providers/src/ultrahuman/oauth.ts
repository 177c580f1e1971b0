import { isZoneName, SECONDS_PER_DAY } from '@healthd/model';
import { z } from 'zod';
import { type OAuthDefinition, type VendorApi, VendorError, type VendorIdentity } from '../cloud/index.js';
import { idOf, isObject, readPayload, textOf } from '../payload/index.js';

/** Consent groups. The profile identifies the account and the user's time zone. */
export const SCOPES = { ring: 'ring_data', glucose: 'cgm_data', profile: 'profile' } as const;

/** Request that succeeds with any valid token. */
export const USER_INFO = { path: '/user_data/user_info' };

/** Consent at Ultrahuman. A refresh token is valid once. */
export const ULTRAHUMAN_OAUTH: OAuthDefinition = {
  defaultScope: Object.values(SCOPES).join(' '),
  pkce: false,
  clientAuthentication: 'body',
  authorizeParameters: {},
  accessTokenSeconds: SECONDS_PER_DAY,
  identify,
};

async function identify(api: VendorApi): Promise<VendorIdentity> {
  const { userId, username } = await readUserInfo(api);
  if (userId === undefined) throw new VendorError({ code: 'invalid_answer', reason: 'user_id' });
  return { userId, username };
}

/** Personal facts from the vendor. The zone is an IANA name, under one of three names. */
const PERSON = z.object({
  user_id: z.string(),
  username: z.string(),
  email: z.string(),
  timezone: z.string(),
  time_zone: z.string(),
  latest_time_zone: z.string(),
});

/** Reads the account's identity. The response may be wrapped in `data`. @throws VendorError */
export async function readUserInfo(api: VendorApi) {
  const response = await api.call(USER_INFO);
  const wrapped = isObject(response) && isObject(response.data) ? response.data : response;
  const person = readPayload(PERSON, isObject(wrapped) ? wrapped : {}, () => undefined);
  return {
    userId: idOf(person.user_id),
    username: textOf(person.username) ?? textOf(person.email),
    timeZone: zoneOf(person.timezone) ?? zoneOf(person.time_zone) ?? zoneOf(person.latest_time_zone),
  };
}

/** Returns a zone name that this runtime supports. */
export function zoneOf(value: unknown): string | undefined {
  const name = textOf(value);
  return name !== undefined && isZoneName(name) ? name : undefined;
}
