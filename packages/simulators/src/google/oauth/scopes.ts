const HEALTH = 'https://www.googleapis.com/auth/googlehealth.';

/** Scope of subscriber calls. */
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

/** Identity scopes with the names that the vendor returns for them. */
const IDENTITY: Readonly<Record<string, string>> = {
  openid: 'openid',
  email: 'https://www.googleapis.com/auth/userinfo.email',
  profile: 'https://www.googleapis.com/auth/userinfo.profile',
};

/** Scopes that clients can request. */
export const KNOWN_SCOPES: readonly string[] = [
  ...Object.values(IDENTITY),
  CLOUD_PLATFORM,
  ...GROUPS.flatMap((group) => [`${HEALTH}${group}.readonly`, `${HEALTH}${group}.writeonly`]),
];

/** Returns the full name of a group's read scope, for example of `sleep`. */
export function readScope(group: string): string {
  return `${HEALTH}${group}.readonly`;
}

/** Returns the full name of a group's write scope. */
export function writeScope(group: string): string {
  return `${HEALTH}${group}.writeonly`;
}

/** Returns the name under which a requested scope is granted. */
export function grantedName(requested: string): string {
  return IDENTITY[requested] ?? requested;
}

/** True for identity scopes, which sign-in always grants. Users can deny all other scopes. */
export function isIdentityScope(scope: string): boolean {
  return Object.values(IDENTITY).includes(scope);
}

/** True if a scope permits the identity call: any read scope of health data except nutrition. */
export function opensIdentity(scopes: ReadonlySet<string>): boolean {
  return [...scopes].some(
    (scope) => scope.startsWith(HEALTH) && scope.endsWith('.readonly') && scope !== readScope('nutrition'),
  );
}
