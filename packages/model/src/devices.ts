import { AIRPODS, APPLE_DEVICES } from './apple-devices.js';
import { keywordType, writerType } from './device-keywords.js';
import { DEVICE_TYPES, type DeviceType } from './device-types.js';
import type { ProviderId } from './providers.js';
import { samsungName } from './samsung-devices.js';

/** What is known about the device behind a source; everything may be missing. */
export interface DeviceFacts {
  /** The type the payload itself names. */
  declared?: string;
  /** Raw hardware code or model text. */
  model?: string;
  /** Name of the application or device that wrote the value. */
  sourceName?: string;
  provider?: ProviderId;
}

/** Vendors whose data without a model can come from one kind of device only. */
const TYPE_BY_PROVIDER: Partial<Record<ProviderId, DeviceType>> = {
  whoop: 'band',
  oura: 'ring',
  ultrahuman: 'ring',
  garmin: 'watch',
  polar: 'watch',
  suunto: 'watch',
  strava: 'other',
};

/** Codes and names recognised by how they begin. The first match wins, so exceptions are before their rule. */
const PREFIXES: readonly (readonly [RegExp, DeviceType])[] = [
  [/^Watch\d/, 'watch'],
  [/^i(Phone|Pad|Pod)/, 'phone'],
  // Galaxy Fit bands share the letter of the watches.
  [/^SM-R(220|370|375|390)/i, 'band'],
  [/^SM-[RL]/i, 'watch'],
  [/^SM-Q/i, 'ring'],
  [/^SM-/i, 'phone'],
  [/^Pixel Watch/i, 'watch'],
  [/^Pixel/i, 'phone'],
];

/** Polar names its watches `Polar …`, and so it names its sensors, which are known by a word of their names. */
const POLAR = /^Polar\b/i;

/**
 * The type of the device behind a source. What the payload declares comes first, then the model: exact hardware code,
 * prefix, keyword; a model that none of them knows is `other`. Only without a model the writer's name and then the
 * provider decide, and `unknown` is what remains.
 */
export function deviceType(facts: DeviceFacts): DeviceType {
  const declared = declaredType(facts.declared);
  if (declared) return declared;
  const model = facts.model?.trim();
  if (model) return modelType(model);
  const byWriter = facts.sourceName ? writerType(facts.sourceName) : undefined;
  return byWriter ?? (facts.provider && TYPE_BY_PROVIDER[facts.provider]) ?? 'unknown';
}

/** Marketing name of a hardware code, or the model as it is; undefined only without a model. */
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
