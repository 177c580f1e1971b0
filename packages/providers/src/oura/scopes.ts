/** Groups of data that a person consents to, by the names that the vendor's description has. */
export const SCOPES = {
  email: 'email',
  personal: 'personal',
  daily: 'daily',
  heartRate: 'heartrate',
  workout: 'workout',
  saturation: 'spo2',
  stress: 'stress',
  heartHealth: 'heart_health',
} as const;

/** The vendor's servers put it before every name. */
const PREFIX = 'extapi:';

/** What is asked for unless the operator sets another scope. */
export const DEFAULT_SCOPE = Object.values(SCOPES)
  .map((name) => `${PREFIX}${name}`)
  .join(' ');

/** A granted scope without the prefix. */
export function scopeName(granted: string): string {
  return granted.startsWith(PREFIX) ? granted.slice(PREFIX.length) : granted;
}
