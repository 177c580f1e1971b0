import { Random } from '../random.js';
import type { GarminItem, SummaryKey } from './wire-types.js';

const PATHS = ['push', 'ping'] as const;
const NIGHTS = ['whole', 'levels_only', 'member_missing'] as const;
const LIMITS = ['bare', 'retry_after'] as const;

/** Forms in which real answers differ. Each account has one of each. */
export interface GarminForms {
  /** Whether deliveries carry the data, or an address to fetch it from. */
  delivery: (typeof PATHS)[number];
  /** Whether nights have duration members beside their levels, and all of them. */
  night: (typeof NIGHTS)[number];
  /** Whether the recorded version of an edited activity comes again after the edit. */
  repeatsRecorded: boolean;
  /** Whether the file of an activity is announced too. */
  announcesFiles: boolean;
  /** Whether a 429 says when to come again. */
  limit: (typeof LIMITS)[number];
}

/** The forms of an account. The same seed and account have the same forms. */
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

/** A summary as an account with these forms delivers it. */
export function formed({ night }: GarminForms, key: SummaryKey, item: GarminItem): GarminItem {
  if (key !== 'sleeps' || night === 'whole' || !isMeasured(item)) return item;
  if (night === 'member_missing') {
    const members = Object.values(MEMBERS);
    return without(item, [members[Number(item.startTimeInSeconds) % members.length] as string]);
  }
  return without(item, [...Object.values(MEMBERS), 'durationInSeconds', 'unmeasurableSleepInSeconds']);
}

/** Whether the levels say all that the duration members say. */
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

/** The recorded version of an activity that a person edited. */
export function recordedVersion(edited: GarminItem): GarminItem {
  return {
    ...edited,
    activityName: 'As recorded',
    distanceInMeters: Number(edited.distanceInMeters) + 1_000,
    manual: false,
  };
}
