/** Priority of a provider or device type that has none. */
export const ABSENT_PRIORITY = 99;
