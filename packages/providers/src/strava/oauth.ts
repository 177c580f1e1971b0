/** What people consent to, by the vendor's names. */
export const SCOPES = {
  profile: 'read',
  /** Activities that others can see. */
  activities: 'activity:read',
  /** Those too that only the person can see. */
  privateActivities: 'activity:read_all',
} as const;

/** What is asked for unless the operator sets another scope. */
export const DEFAULT_SCOPE = Object.values(SCOPES).join(' ');
