import { type OAuthDefinition, type VendorApi, VendorError, type VendorIdentity } from '../cloud/index.js';
import { idOf, isObject } from '../payload/index.js';

/** What people tick on the vendor's page. The past is unticked unless someone ticks it. */
export const PERMISSIONS = {
  activity: 'ACTIVITY_EXPORT',
  health: 'HEALTH_EXPORT',
  history: 'HISTORICAL_DATA_EXPORT',
  cycle: 'MCT_EXPORT',
} as const;

/**
 * Consent at Garmin, with PKCE. No scope is asked for: what an application may get is set in the vendor's portal, and what a
 * person grants is ticked on its page and read afterwards; the scope that comes with the tokens says nothing of it. A
 * refresh token is good for one use.
 */
export const GARMIN_OAUTH: OAuthDefinition = {
  defaultScope: '',
  pkce: true,
  clientAuthentication: 'body',
  authorizeParameters: {},
  accessTokenSeconds: 86_400,
  grantedBy: 'identity',
  needsIdentity: true,
  endConsent: { method: 'DELETE', base: 'user', path: '/registration' },
  identify,
};

/** The id by which everything that is delivered finds its person, and what the person granted. */
async function identify(api: VendorApi): Promise<VendorIdentity> {
  const answer = await api.call({ base: 'user', path: '/id' });
  const userId = isObject(answer) ? idOf(answer.userId) : undefined;
  if (userId === undefined) throw new VendorError({ code: 'invalid_answer', reason: 'user_id' });
  return { userId, scope: await permissionsOf(api) };
}

/** Undefined where the vendor does not say; a later notice of a change does. */
async function permissionsOf(api: VendorApi): Promise<string | undefined> {
  try {
    const answer = await api.call({ base: 'user', path: '/permissions' });
    return scopeOf(isObject(answer) ? answer.permissions : answer);
  } catch (error) {
    if (error instanceof VendorError) return undefined;
    throw error;
  }
}

/** A list of permissions, sorted and separated by spaces; undefined for anything that is no list. */
function scopeOf(permissions: unknown): string | undefined {
  if (!Array.isArray(permissions)) return undefined;
  const names = permissions.filter((name): name is string => typeof name === 'string' && /^[A-Z_]{1,64}$/.test(name));
  return [...new Set(names)].sort().join(' ');
}
