/** Priority of a provider or device type without a configured priority. */
export const ABSENT_PRIORITY = 99;
