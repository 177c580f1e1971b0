import { SECONDS_PER_HOUR } from '@healthd/model';
import { type OAuthDefinition, type VendorApi, VendorError, type VendorIdentity } from '../cloud/index.js';
import { isObject, textOf } from '../payload/index.js';
import { numberIdOf } from '../rest/index.js';

/** Scopes that the user grants, by the vendor's names. */
export const SCOPES = {
  profile: 'read',
  /** Activities that other users can see. */
  activities: 'activity:read',
  /** Activities that only the user can see. */
  privateActivities: 'activity:read_all',
} as const;

/**
 * Consent at Strava. The vendor separates scopes by commas and returns the granted scopes in the redirect. A renewal
 * may return a new refresh token, which ends the old one.
 */
export const STRAVA_OAUTH: OAuthDefinition = {
  defaultScope: Object.values(SCOPES).join(' '),
  pkce: false,
  clientAuthentication: 'body',
  // Shows the consent page only for scopes that are not granted yet.
  authorizeParameters: { approval_prompt: 'auto' },
  accessTokenSeconds: 6 * SECONDS_PER_HOUR,
  scopeSeparator: ',',
  revocation: { clientAuthentication: 'basic', tokenTypeHint: true },
  identify,
};

/** Returns the athlete's id, which events contain, and a display name. */
async function identify(api: VendorApi): Promise<VendorIdentity> {
  const athlete = await api.call({ path: '/athlete' });
  const userId = isObject(athlete) ? numberIdOf(athlete.id) : undefined;
  if (!isObject(athlete) || userId === undefined) throw new VendorError({ code: 'invalid_answer', reason: 'id' });
  const name = textOf([athlete.firstname, athlete.lastname].flatMap((part) => textOf(part) ?? []).join(' '));
  return { userId, username: textOf(athlete.username) ?? name };
}
