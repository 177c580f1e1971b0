import {
  deleteMenstrualCycle,
  deleteSleepSession,
  deleteWorkout,
  getSleepSession,
  getWorkout,
  restoreMenstrualCycle,
  restoreSleepSession,
  restoreWorkout,
} from '@healthd/contract';
import type { SleepSessionDetail, WorkoutDetail } from '@healthd/schemas';
import { Argument, type Command } from 'commander';
import type { Cli } from '../cli.js';
import { amount, minutes, SLEEP_FIELDS, sourceText, WORKOUT_FIELDS } from '../output/data-shapes.js';
import { measuredAt } from '../output/instant.js';
import { type RecordShape, writeRecord } from '../output/writer.js';
import { durationText } from '../ui/amounts.js';
import { confirmByTyping } from '../ui/confirm.js';
import type { Bind } from './bind.js';
import { userOption } from './values.js';

/** `data workout|night|delete|restore` */
export function addEventCommands(data: Command, bind: Bind): void {
  data
    .command('workout')
    .description('Shows one workout with its segments. JSON output includes its samples.')
    .summary('one workout')
    .argument('<id>', 'id of the workout; see `healthctl data workouts`')
    .addOption(userOption())
    .action(bind(showWorkout));
  data
    .command('night')
    .description('Shows one night or nap with its stages. JSON output includes its samples.')
    .summary('one night or nap')
    .argument('<id>', 'id of the session; see `healthctl data sleep`')
    .addOption(userOption())
    .action(bind(showNight));
  data
    .command('delete')
    .description(
      'Deletes a night, a cycle, or a workout with its route and its measurements. The event stays deleted, even if its source sends it again.',
    )
    .summary('delete a workout, a night or a cycle')
    .addArgument(kindArgument())
    .argument('<id>', 'id of the event')
    .addOption(userOption())
    .option('-y, --yes', 'skip the confirmation')
    .action(bind(deleteEvent));
  data
    .command('restore')
    .description(
      'Allows a deleted workout, night or cycle to return with the next file, push or sync that contains it.',
    )
    .summary('restore a deleted workout, night or cycle')
    .addArgument(kindArgument())
    .argument('<id>', 'id of the event')
    .addOption(userOption())
    .action(bind(restoreEvent));
}

function kindArgument(): Argument {
  return new Argument('<type>', 'workout, sleep or cycle').choices(['workout', 'sleep', 'cycle'] satisfies EventKind[]);
}

type EventKind = 'workout' | 'sleep' | 'cycle';

interface OfUser {
  user: string;
}

/** `healthctl data workout` */
async function showWorkout(cli: Cli, id: string, { user }: OfUser): Promise<void> {
  cli.willWrite({ fields: DETAIL_OF_WORKOUT });
  const client = await cli.client();
  const workout = await client.call(getWorkout, { params: { user_id: user, workout_id: id }, signal: cli.signal });
  const pairs = (one: WorkoutDetail) =>
    [
      ['ID', one.id],
      ['Type', one.type],
      ['Start', measuredAt(one.start_time, one.zone_offset)],
      ['End', measuredAt(one.end_time, one.zone_offset)],
      ['Took', one.duration_seconds === null ? null : durationText(one.duration_seconds)],
      ['Distance', one.distance_meters === null ? null : `${(one.distance_meters / 1000).toFixed(2)} km`],
      ['Energy', one.calories_kcal === null ? null : `${Math.round(one.calories_kcal)} kcal`],
      ['Heart rate', one.avg_heart_rate_bpm === null ? null : `${one.avg_heart_rate_bpm} bpm`],
      ['Parts', one.events.length],
      ['Also recorded as', one.duplicate_ids.join(' ')],
      ['Source', sourceText(one.source)],
    ] as const;
  await writeRecord(cli.sink, { fields: DETAIL_OF_WORKOUT, pairs }, workout);
}

const DETAIL_OF_WORKOUT = [
  ...WORKOUT_FIELDS,
  'moving_seconds',
  'distance_meters',
  'calories_kcal',
  'avg_heart_rate_bpm',
  'max_heart_rate_bpm',
  'events',
  'activities',
  'metadata',
  'duplicate_ids',
  'samples',
  'source',
] as const;

/** `healthctl data night` */
async function showNight(cli: Cli, id: string, { user }: OfUser): Promise<void> {
  cli.willWrite({ fields: DETAIL_OF_NIGHT });
  const client = await cli.client();
  const night = await client.call(getSleepSession, { params: { user_id: user, sleep_id: id }, signal: cli.signal });
  const pairs = (one: SleepSessionDetail) =>
    [
      ['ID', one.id],
      ['Type', one.is_nap ? 'nap' : 'night'],
      ['From', measuredAt(one.start_time, one.zone_offset)],
      ['To', measuredAt(one.end_time, one.zone_offset)],
      ['Asleep', one.sleep_duration_seconds === null ? null : durationText(one.sleep_duration_seconds)],
      ['In bed', durationText(one.duration_seconds)],
      ['Efficiency', one.efficiency_percent === null ? null : `${amount(one.efficiency_percent, 1)} %`],
      ['Awake', minutes(one.stages?.awake_minutes)],
      ['Light', minutes(one.stages?.light_minutes)],
      ['Deep', minutes(one.stages?.deep_minutes)],
      ['REM', minutes(one.stages?.rem_minutes)],
      ['Source', sourceText(one.source)],
    ] as const;
  await writeRecord(cli.sink, { fields: DETAIL_OF_NIGHT, pairs }, night);
}

const DETAIL_OF_NIGHT = [...SLEEP_FIELDS, 'stages', 'is_nap', 'samples', 'source'] as const;

/** Output of `data delete` and `data restore`: the event, and whether it stays deleted. */
interface EventChange {
  kind: EventKind;
  id: string;
  user_id: string;
  is_deleted: boolean;
}

const CHANGED: RecordShape<EventChange> = { fields: ['kind', 'id', 'user_id', 'is_deleted'] };

/** `healthctl data delete` */
async function deleteEvent(
  cli: Cli,
  kind: EventKind,
  id: string,
  { user, yes }: OfUser & { yes?: boolean },
): Promise<void> {
  cli.willWrite(CHANGED);
  const client = await cli.client();
  if (!yes) await confirmByTyping(cli, `This deletes the ${kind} ${id}.`, kind, 'delete');
  const { signal } = cli;
  if (kind === 'workout') await client.call(deleteWorkout, { params: { user_id: user, workout_id: id }, signal });
  else if (kind === 'sleep') await client.call(deleteSleepSession, { params: { user_id: user, sleep_id: id }, signal });
  else await client.call(deleteMenstrualCycle, { params: { user_id: user, cycle_id: id }, signal });
  cli.say(`Deleted the ${kind} ${id}. It stays deleted, even if its source sends it again.`);
  cli.hint(`Undo: healthctl data restore ${kind} ${id} --user ${user}`);
  await writeRecord(cli.sink, CHANGED, { kind, id, user_id: user, is_deleted: true });
}

/** `healthctl data restore` */
async function restoreEvent(cli: Cli, kind: EventKind, id: string, { user }: OfUser): Promise<void> {
  cli.willWrite(CHANGED);
  const client = await cli.client();
  const { signal } = cli;
  if (kind === 'workout') await client.call(restoreWorkout, { params: { user_id: user, workout_id: id }, signal });
  else if (kind === 'sleep')
    await client.call(restoreSleepSession, { params: { user_id: user, sleep_id: id }, signal });
  else await client.call(restoreMenstrualCycle, { params: { user_id: user, cycle_id: id }, signal });
  cli.say('It is stored again with the next file, push or sync that contains it.');
  await writeRecord(cli.sink, CHANGED, { kind, id, user_id: user, is_deleted: false });
}
