const HEALTH = 'https://www.googleapis.com/auth/googlehealth.';

/** The scope of subscriber calls. */
export const CLOUD_PLATFORM = 'https://www.googleapis.com/auth/cloud-platform';

const GROUPS = [
  'activity_and_fitness',
  'health_metrics_and_measurements',
  'nutrition',
  'sleep',
  'settings',
  'profile',
  'location',
  'ecg',
  'irn',
  'logged_symptoms',
  'mindfulness',
  'reproductive_health',
];

/** Names of the identity scopes and the form in which they come back. */
const IDENTITY: Readonly<Record<string, string>> = {
  openid: 'openid',
  email: 'https://www.googleapis.com/auth/userinfo.email',
  profile: 'https://www.googleapis.com/auth/userinfo.profile',
};

/** Scopes that may be requested. */
export const KNOWN_SCOPES: readonly string[] = [
  ...Object.values(IDENTITY),
  CLOUD_PLATFORM,
  ...GROUPS.flatMap((group) => [`${HEALTH}${group}.readonly`, `${HEALTH}${group}.writeonly`]),
];

/** Full name of the read scope of a group, e.g. `sleep`. */
export function readScope(group: string): string {
  return `${HEALTH}${group}.readonly`;
}

/** Full name of the write scope of a group. */
export function writeScope(group: string): string {
  return `${HEALTH}${group}.writeonly`;
}

/** Returns the name under which a requested scope is granted. */
export function grantedName(requested: string): string {
  return IDENTITY[requested] ?? requested;
}

/** Identity scopes are granted with the sign-in; all others can be unticked. */
export function isIdentityScope(scope: string): boolean {
  return Object.values(IDENTITY).includes(scope);
}

/** The identity call opens with any read scope of health data except nutrition. */
export function opensIdentity(scopes: ReadonlySet<string>): boolean {
  return [...scopes].some(
    (scope) => scope.startsWith(HEALTH) && scope.endsWith('.readonly') && scope !== readScope('nutrition'),
  );
}
