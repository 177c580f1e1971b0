import { MS_PER_SECOND, type WorkoutRecord } from '@healthd/model';
import { VendorError } from '../../cloud/index.js';
import { completeFromFile, FitError, type FitReading, readFitActivity } from '../../fit/index.js';
import { idOf, isObject, numberOf, type PayloadObject, textOf } from '../../payload/index.js';
import { Turns } from '../../turns.js';
import { GARMIN_SOURCE } from './source.js';

/** An empty workout that the file's figures complete. */
const BLANK: WorkoutRecord = { kind: 'workout', source: GARMIN_SOURCE, type: 'other', startMs: 0, endMs: 0 };

/** List name of activity files, which are always fetched. */
export const ACTIVITY_FILES = 'activityFiles';

/** Number of seconds that become JSON in a few milliseconds. */
const SECONDS_A_TURN = 1_000;

/**
 * Converts an activity's FIT file into a JSON list of one item with seconds and laps, like activity details.
 * @throws VendorError
 */
export async function activityFileItems(announced: unknown, bytes: Uint8Array): Promise<Buffer> {
  const item: PayloadObject = isObject(announced) ? announced : {};
  const type = textOf(item.fileType)?.toUpperCase();
  if (type !== undefined && type !== 'FIT') throw new VendorError({ code: 'invalid_answer', reason: 'file_type' });
  const file = await readFile(bytes);
  const { readings, laps, sessions, damage } = file;
  const seconds = [...readings]
    .map(([atMs, reading]) => ({ second: atMs / MS_PER_SECOND, reading }))
    .sort((a, b) => a.second - b.second);
  const startTimeInSeconds = numberOf(item.startTimeInSeconds) ?? seconds[0]?.second;
  const lastSecond = seconds.at(-1)?.second;
  const { callbackURL, ...rest } = item;
  const others: PayloadObject = {
    ...rest,
    activityId: item.activityId ?? activityIdOf(callbackURL),
    startTimeInSeconds,
    durationInSeconds:
      numberOf(startTimeInSeconds) === undefined || lastSecond === undefined
        ? undefined
        : Math.max(0, lastSecond - Number(startTimeInSeconds)),
    laps: laps.map(({ startMs }) => ({ startTimeInSeconds: startMs / MS_PER_SECOND })),
    // True for a multisport activity, whose parts are separate items.
    isParent: sessions.length > 1,
    damage,
    figures: completeFromFile(BLANK, file, readings.values()),
  };
  const parts = [`[${JSON.stringify(others).slice(0, -1)},"samples":[`];
  const turns = new Turns();
  for (let from = 0; from < seconds.length; from += SECONDS_A_TURN) {
    const samples = seconds.slice(from, from + SECONDS_A_TURN).map(sampleOf);
    parts.push(from === 0 ? '' : ',', JSON.stringify(samples).slice(1, -1));
    await turns.yieldIfLong();
  }
  return Buffer.from([...parts, ']}]'].join(''));
}

function sampleOf({ second, reading }: { second: number; reading: FitReading }): PayloadObject {
  return {
    startTimeInSeconds: second,
    heartRate: reading.heartRate,
    speedMetersPerSecond: reading.speed,
    powerInWatts: reading.power,
    elevationInMeters: reading.elevation,
    latitudeInDegree: reading.latitude,
    longitudeInDegree: reading.longitude,
  };
}

async function readFile(bytes: Uint8Array) {
  try {
    return await readFitActivity(bytes);
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
