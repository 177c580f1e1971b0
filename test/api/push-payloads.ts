/** Returns a push payload with the items, as mobile clients send it. */
export function payload(
  provider: string,
  data: { records?: unknown[]; sleep?: unknown[]; workouts?: unknown[]; deleted?: unknown[] },
): Record<string, unknown> {
  return { provider, sdkVersion: '0.11.0', syncTimestamp: '2026-11-20T08:15:30Z', data };
}

/** A watch in the iOS client's format. */
export const WATCH = {
  appId: 'com.apple.health.7A1C',
  deviceName: 'Apple Watch',
  deviceManufacturer: 'Apple Inc.',
  deviceModel: 'Watch7,3',
  deviceType: 'watch',
  deviceSoftwareVersion: '11.1',
};
export const GALAXY = { appId: 'com.sec.android.app.shealth', deviceName: 'Galaxy Watch8', deviceModel: 'SM-L330' };

/** Returns one record whose start and end are the same instant. */
export function reading(type: string, at: string, value: unknown, unit: string | null, more: object = {}): object {
  return { id: `${type} ${at}`, type, startDate: at, endDate: at, zoneOffset: '+02:00', value, unit, ...more };
}

/** Returns heart rates, one every five seconds. */
export function heartRates(count: number, from = '2026-11-01T00:00:00Z', source: object = WATCH): object[] {
  const start = Date.parse(from);
  return Array.from({ length: count }, (_, index) => {
    const at = `${new Date(start + index * 5000).toISOString().slice(0, 19)}Z`;
    return reading('HKQuantityTypeIdentifierHeartRate', at, 60 + (index % 60), 'count/min', {
      zoneOffset: null,
      source,
    });
  });
}
