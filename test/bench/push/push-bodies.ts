const SOURCE = {
  appId: 'com.apple.health.7A1C',
  deviceId: null,
  deviceName: 'Apple Watch',
  deviceManufacturer: 'Apple Inc.',
  deviceModel: 'Watch7,3',
  deviceType: 'watch',
  recordingMethod: null,
  deviceHardwareVersion: 'Watch7,3',
  deviceSoftwareVersion: '11.1',
  operatingSystemVersion: { majorVersion: 11, minorVersion: 1, patchVersion: 0 },
};
const TYPES = [
  ['HKQuantityTypeIdentifierHeartRate', 'bpm', 60],
  ['HKQuantityTypeIdentifierStepCount', 'count', 20],
  ['HKQuantityTypeIdentifierActiveEnergyBurned', 'kcal', 3],
  ['HKQuantityTypeIdentifierDistanceWalkingRunning', 'm', 15],
] as const;
const START = Date.UTC(2026, 0, 1);

/**
 * Returns a batch like an iOS client's: each record has all members and takes about 600 bytes. One user's batches are
 * consecutive in time.
 */
export function pushBody(batch: number, records: number): Buffer {
  const items = Array.from({ length: records }, (_, index) => {
    const [type, unit, base] = TYPES[index % TYPES.length] as (typeof TYPES)[number];
    const startMs = START + (batch * records + index) * 5000;
    return {
      id: `3F0C6C1A-9B1F-4D57-8E0E-${String(batch * records + index).padStart(12, '0')}`,
      parentId: null,
      type,
      startDate: `${new Date(startMs).toISOString().slice(0, 19)}Z`,
      endDate: `${new Date(startMs + (unit === 'bpm' ? 0 : 5000)).toISOString().slice(0, 19)}Z`,
      zoneOffset: '+01:00',
      value: base + ((index * 7) % 50),
      unit,
      source: SOURCE,
      metadata: { HKMetadataKeyHeartRateMotionContext: '1' },
    };
  });
  const data = { records: items, sleep: [], workouts: [] };
  return Buffer.from(
    JSON.stringify({ provider: 'apple', sdkVersion: '0.6.0', syncTimestamp: '2026-11-20T08:15:30Z', data }),
  );
}
