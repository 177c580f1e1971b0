import { z } from 'zod';

const instant = z.string().meta({ format: 'date-time' });
const timestamp = z.union([instant, z.number()]);
const text = z.string().nullish();

/** Maximum number of data types, several times the actual number. */
const MAX_TYPES = 1000;

const syncStart = z.object({
  eventType: z.literal('historical_data_sync_start'),
  timestamp,
  dataTypeCounts: z
    .array(z.object({ type: z.string(), count: z.int().min(0) }))
    .max(MAX_TYPES)
    .default([]),
  timeRange: z.object({ startDate: timestamp.nullish(), endDate: timestamp }).nullish(),
});

const typeSyncEnd = z.object({
  eventType: z.literal('historical_data_type_sync_end'),
  timestamp,
  dataType: z.string(),
  success: z.boolean(),
  recordCount: z.int().nullish(),
  durationMs: z.int().nullish(),
});

const deviceState = z.object({
  eventType: z.literal('device_state'),
  timestamp,
  batteryLevel: z.number().min(-1).max(1).nullish().meta({ description: '0 to 1; -1 means unknown' }),
  batteryState: text,
  thermalState: text,
  taskType: text,
  isLowPowerMode: z.boolean().nullish(),
  availableRamBytes: z.int().nullish(),
  totalRamBytes: z.int().nullish(),
});

const known = z.discriminatedUnion('eventType', [syncStart, typeSyncEnd, deviceState]);
const KNOWN_TYPES: ReadonlySet<string> = new Set(known.options.map(({ shape }) => shape.eventType.value));

/** Accepts unknown events, because newer clients send more types, and an unknown type must not fail the whole log. */
const unknownEvent = z
  .object({ eventType: z.string().refine((type) => !KNOWN_TYPES.has(type)) })
  .meta({ description: 'Event of a type that this version does not support; it is counted' });

/** Log of a mobile client's work. */
export const sdkLogSchema = z
  .object({
    sdkVersion: z.string(),
    provider: text,
    events: z
      .array(z.union([known, unknownEvent]))
      .min(1)
      .max(100),
  })
  .meta({ id: 'DeviceLog' });
export type SdkLog = z.infer<typeof sdkLogSchema>;
