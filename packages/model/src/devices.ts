import { AIRPODS, APPLE_DEVICES } from './apple-devices.js';
import { keywordType, writerType } from './device-keywords.js';
import { DEVICE_TYPES, type DeviceType } from './device-types.js';
import type { ProviderId } from './providers.js';
import { samsungName } from './samsung-devices.js';

/** Facts about the device behind a source. Each fact is optional. */
export interface DeviceFacts {
  /** Type that the payload declares. */
  declared?: string;
  /** Raw hardware code or model text. */
  model?: string;
  /** Name of the application or device that wrote the value. */
  sourceName?: string;
  provider?: ProviderId;
}

/** Device types of vendors whose data without a model can only come from one type of device. */
const TYPE_BY_PROVIDER: Partial<Record<ProviderId, DeviceType>> = {
  whoop: 'band',
  oura: 'ring',
  ultrahuman: 'ring',
  garmin: 'watch',
  polar: 'watch',
  suunto: 'watch',
  strava: 'other',
};

/** Codes and names recognized by their prefix. The first match wins, so exceptions precede their rule. */
const PREFIXES: readonly (readonly [RegExp, DeviceType])[] = [
  [/^Watch\d/, 'watch'],
  [/^i(Phone|Pad|Pod)/, 'phone'],
  // Codes of Galaxy Fit bands start with SM-R, like codes of Galaxy watches.
  [/^SM-R(220|370|375|390)/i, 'band'],
  [/^SM-[RL]/i, 'watch'],
  [/^SM-Q/i, 'ring'],
  [/^SM-/i, 'phone'],
  [/^Pixel Watch/i, 'watch'],
  [/^Pixel/i, 'phone'],
];

/** Polar names both watches and sensors `Polar …`; words in the name identify the sensors. */
const POLAR = /^Polar\b/i;

/**
 * Returns the type of the device behind a source. Checks the declared type first, then the model by exact hardware
 * code, prefix and keyword. An unrecognized model is `other`. Without a model, checks the writer's name, then the
 * provider. Otherwise returns `unknown`.
 */
export function deviceType(facts: DeviceFacts): DeviceType {
  const declared = declaredType(facts.declared);
  if (declared) return declared;
  const model = facts.model?.trim();
  if (model) return modelType(model);
  const byWriter = facts.sourceName ? writerType(facts.sourceName) : undefined;
  return byWriter ?? (facts.provider && TYPE_BY_PROVIDER[facts.provider]) ?? 'unknown';
}

/** Returns the marketing name of a hardware code, or the model unchanged; undefined only without a model. */
export function deviceName(model: string): string;
export function deviceName(model: string | undefined): string | undefined;
export function deviceName(model: string | undefined): string | undefined {
  if (model === undefined) return undefined;
  return APPLE_DEVICES.get(model) ?? AIRPODS.get(model.toLowerCase()) ?? samsungName(model) ?? model;
}

function declaredType(text: string | undefined): DeviceType | undefined {
  const lower = text?.trim().toLowerCase();
  return DEVICE_TYPES.find((type) => type === lower && type !== 'unknown');
}

function modelType(model: string): DeviceType {
  if (AIRPODS.has(model.toLowerCase())) return 'other';
  if (APPLE_DEVICES.has(model)) return model.startsWith('Watch') ? 'watch' : 'phone';
  const known = PREFIXES.find(([prefix]) => prefix.test(model))?.[1] ?? keywordType(model);
  return known ?? (POLAR.test(model) ? 'watch' : 'other');
}
