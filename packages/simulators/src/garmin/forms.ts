import { Random } from '../random.js';
import type { GarminItem, SummaryKey } from './wire-types.js';

const PATHS = ['push', 'ping'] as const;
const NIGHTS = ['whole', 'levels_only', 'member_missing'] as const;
const LIMITS = ['bare', 'retry_after'] as const;

/** Formats that differ between real responses. Each account uses one variant of each format. */
export interface GarminForms {
  /** Content of deliveries: the data, or a URL to fetch it from. */
  delivery: (typeof PATHS)[number];
  /** Duration members of nights in addition to their levels. */
  night: (typeof NIGHTS)[number];
  /** True if the recorded version of an edited activity is redelivered after the edit. */
  repeatsRecorded: boolean;
  /** True if the activity's file is announced too. */
  announcesFiles: boolean;
  /** Format of a 429, with or without the retry time. */
  limit: (typeof LIMITS)[number];
}

/** Returns the formats of an account, deterministic for seed and account. */
export function formsOf(seed: number, account: string): GarminForms {
  const random = new Random(seed, account, 'forms');
  const pick = <Form>(forms: readonly Form[]) => forms[random.integer(0, forms.length - 1)] as Form;
  return {
    delivery: pick(PATHS),
    night: pick(NIGHTS),
    repeatsRecorded: random.chance(0.5),
    announcesFiles: random.chance(0.5),
    limit: pick(LIMITS),
  };
}

const MEMBERS = {
  deep: 'deepSleepDurationInSeconds',
  light: 'lightSleepDurationInSeconds',
  rem: 'remSleepInSeconds',
  awake: 'awakeDurationInSeconds',
} as const;

/** Returns a summary in an account's formats. */
export function formed({ night }: GarminForms, key: SummaryKey, item: GarminItem): GarminItem {
  if (key !== 'sleeps' || night === 'whole' || !isMeasured(item)) return item;
  if (night === 'member_missing') {
    const members = Object.values(MEMBERS);
    return without(item, [members[Number(item.startTimeInSeconds) % members.length] as string]);
  }
  return without(item, [...Object.values(MEMBERS), 'durationInSeconds', 'unmeasurableSleepInSeconds']);
}

/** True if the levels contain all information of the duration members. */
function isMeasured({ sleepLevelsMap, ...members }: GarminItem): boolean {
  const levels = sleepLevelsMap as
    | Record<string, { startTimeInSeconds: number; endTimeInSeconds: number }[]>
    | undefined;
  return Object.entries(MEMBERS).every(([level, member]) => {
    const spans = levels?.[level] ?? [];
    return spans.reduce((sum, span) => sum + span.endTimeInSeconds - span.startTimeInSeconds, 0) === members[member];
  });
}

function without(item: GarminItem, members: readonly string[]): GarminItem {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !members.includes(name)));
}

/** Returns the recorded version of an edited activity. */
export function recordedVersion(edited: GarminItem): GarminItem {
  return {
    ...edited,
    activityName: 'As recorded',
    distanceInMeters: Number(edited.distanceInMeters) + 1_000,
    manual: false,
  };
}
