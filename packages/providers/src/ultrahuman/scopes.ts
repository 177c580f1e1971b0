/** Groups of data that a person consents to; the profile says whose account it is and where they live. */
export const SCOPES = { ring: 'ring_data', glucose: 'cgm_data', profile: 'profile' } as const;

/** What is asked for unless the operator sets another scope. */
export const DEFAULT_SCOPE = Object.values(SCOPES).join(' ');
