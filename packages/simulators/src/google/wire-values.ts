import type { Json, JsonObject } from './point-types.js';

/** 64-bit integer members. JSON contains them as strings. */
const INTEGERS_64 = new Set(
  `count millimeters gainMillimeters activeZoneMinutes activeMinutes beatsPerMinute heightMillimeters
  nonRemHeartRateBeatsPerMinute minutesInSleepPeriod minutesAsleep minutesAwake minutesToFallAsleep minutesAfterWakeUp
  minutes steps averageHeartRateBeatsPerMinute avgStrideLengthMillimeters avgVerticalOscillationMillimeters
  poolLengthMillimeters countSum millimetersSum gainMillimetersSum sumInFatBurnHeartZone sumInCardioHeartZone
  sumInPeakHeartZone activeMinutesSum`.split(/\s+/),
);

/** Members that are written even if they are zero. */
const STATED_ZEROS = new Set(['minutesToFallAsleep', 'minutesAfterWakeUp']);

/** Converts members to proto3 JSON: writes 64-bit integers as strings and omits default values. */
export function wireMembers(members: JsonObject): JsonObject {
  const out: JsonObject = {};
  for (const [name, value] of Object.entries(members)) {
    if (isDefault(value) && !STATED_ZEROS.has(name)) continue;
    out[name] = wireValue(name, value!);
  }
  return out;
}

function wireValue(name: string, value: Json): Json {
  if (typeof value === 'number') return INTEGERS_64.has(name) ? String(value) : value;
  if (Array.isArray(value)) return value.map((item) => wireValue('', item));
  return typeof value === 'object' && value !== null ? wireMembers(value) : value;
}

function isDefault(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  return value === 0 || value === false || value === '' || (Array.isArray(value) && value.length === 0);
}
