/** Groups of data that a person consents to; `offline` gives a refresh token, the profile says whose account it is. */
export const SCOPES = {
  offline: 'offline',
  recovery: 'read:recovery',
  cycles: 'read:cycles',
  sleep: 'read:sleep',
  workout: 'read:workout',
  profile: 'read:profile',
  body: 'read:body_measurement',
} as const;

/** What is asked for unless the operator sets another scope. */
export const DEFAULT_SCOPE = Object.values(SCOPES).join(' ');
