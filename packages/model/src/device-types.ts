/** Device types in the order of the contract. */
export const DEVICE_TYPES = ['watch', 'band', 'phone', 'scale', 'ring', 'other', 'unknown'] as const;
export type DeviceType = (typeof DEVICE_TYPES)[number];
