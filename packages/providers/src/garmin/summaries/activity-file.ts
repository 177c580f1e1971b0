import { MS_PER_SECOND, type WorkoutRecord } from '@healthd/model';
import { VendorError } from '../../cloud/index.js';
import { completeFromFile, FitError, readFitActivity } from '../../fit/index.js';
import { idOf, isObject, numberOf, type PayloadObject, textOf } from '../../payload/index.js';
import { GARMIN_SOURCE } from './source.js';

/** A workout without figures, which a file completes. */
const BLANK: WorkoutRecord = { kind: 'workout', source: GARMIN_SOURCE, type: 'other', startMs: 0, endMs: 0 };

/** List name of activity files, which are always fetched. */
export const ACTIVITY_FILES = 'activityFiles';

/** Converts an activity's FIT file into an item with seconds and laps, like activity details. @throws VendorError */
export function activityFileItem(announced: unknown, bytes: Uint8Array): PayloadObject {
  const item: PayloadObject = isObject(announced) ? announced : {};
  const type = textOf(item.fileType)?.toUpperCase();
  if (type !== undefined && type !== 'FIT') throw new VendorError({ code: 'invalid_answer', reason: 'file_type' });
  const file = readFile(bytes);
  const { readings, laps, sessions, damage } = file;
  const samples = [...readings]
    .sort(([a], [b]) => a - b)
    .map(([atMs, reading]) => ({
      startTimeInSeconds: atMs / MS_PER_SECOND,
      heartRate: reading.heartRate,
      speedMetersPerSecond: reading.speed,
      powerInWatts: reading.power,
      elevationInMeters: reading.elevation,
      latitudeInDegree: reading.latitude,
      longitudeInDegree: reading.longitude,
    }));
  const startTimeInSeconds = numberOf(item.startTimeInSeconds) ?? samples[0]?.startTimeInSeconds;
  const lastSecond = samples.at(-1)?.startTimeInSeconds;
  const { callbackURL, ...rest } = item;
  return {
    ...rest,
    activityId: item.activityId ?? activityIdOf(callbackURL),
    startTimeInSeconds,
    durationInSeconds:
      numberOf(startTimeInSeconds) === undefined || lastSecond === undefined
        ? undefined
        : Math.max(0, lastSecond - Number(startTimeInSeconds)),
    samples,
    laps: laps.map(({ startMs }) => ({ startTimeInSeconds: startMs / MS_PER_SECOND })),
    // True for a multisport activity, whose parts are separate items.
    isParent: sessions.length > 1,
    damage,
    figures: completeFromFile(BLANK, file, readings.values()),
  };
}

function readFile(bytes: Uint8Array) {
  try {
    return readFitActivity(bytes);
  } catch (error) {
    if (error instanceof FitError) throw new VendorError({ code: 'invalid_answer', reason: error.fault });
    throw error;
  }
}

/** Some announcements contain the activity's id only in the URL. */
function activityIdOf(callbackURL: unknown): string | undefined {
  if (typeof callbackURL !== 'string' || !URL.canParse(callbackURL)) return undefined;
  return idOf(new URL(callbackURL).searchParams.get('id') ?? undefined);
}
