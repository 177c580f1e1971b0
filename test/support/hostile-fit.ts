import { type FitMessageKind, FitWriter } from '@healthd/simulators';

/** A FIT file with many valid colliding messages. */
export interface FitCollision {
  name: string;
  /** Returns the file in base64. @param startMs start of its workout */
  contentOf(count: number, startMs: number): string;
}

const EPOCH_MS = Date.UTC(1989, 11, 31);
const TIME = [253, 'uint32'] as const;
const RECORD: FitMessageKind = {
  local: 0,
  global: 20,
  fields: [
    TIME,
    [0, 'sint32'],
    [1, 'sint32'],
    [78, 'uint32'],
    [3, 'uint8'],
    [4, 'uint8'],
    [73, 'uint32'],
    [7, 'uint16'],
  ],
};
const LAP: FitMessageKind = { local: 1, global: 19, fields: [TIME, [2, 'uint32'], [7, 'uint32'], [9, 'uint32']] };
const SESSION: FitMessageKind = { local: 2, global: 18, fields: [TIME, [64, 'uint8'], [16, 'uint8'], [17, 'uint8']] };
const EVENT: FitMessageKind = { local: 3, global: 21, fields: [TIME, [0, 'enum'], [1, 'enum']] };
/** Times between heartbeats. The service skips these messages. */
const HRV: FitMessageKind = { local: 4, global: 78, fields: [[0, 'uint16']] };
const TIMER = { number: 0, start: 0, stop: 4 };

const record = (second: number, index: number) => [second, 6e8, 1e8, 3_000, 60 + (index % 90), 80, 3_000, 200];

/** Writes one record, which makes the file valid, then the messages of each index. */
function fileOf(
  name: string,
  write: (writer: FitWriter, second: number, index: number) => void,
  kinds: readonly FitMessageKind[] = [],
): FitCollision {
  return {
    name,
    contentOf(count, startMs) {
      const second = Math.floor((startMs - EPOCH_MS) / 1_000);
      const writer = new FitWriter();
      for (const kind of [RECORD, ...kinds]) writer.define(kind);
      writer.write(RECORD, record(second, 0));
      for (let index = 0; index < count; index++) write(writer, second, index);
      return writer.file().toString('base64');
    },
  };
}

/** Developer fields of watch apps, in addition to the record's own fields. */
const WITH_DEVELOPER_FIELDS: FitMessageKind = {
  ...RECORD,
  developerFields: Array.from({ length: 20 }, (_, number) => ({ number, size: 1 })),
};

/** One reading per second, without collisions. */
export const SECONDS_OF_A_WORKOUT = fileOf('records of one second after another', (writer, second, index) =>
  writer.write(RECORD, record(second + index, index)),
);

/** Messages of a workout's file that share a second, a lap, a pause or a definition. */
export const FIT_COLLISIONS: readonly FitCollision[] = [
  fileOf('records of one second', (writer, second, index) => writer.write(RECORD, record(second, index))),
  fileOf('laps of one second', (writer, second) => writer.write(LAP, [second, second, 60_000, 100]), [LAP]),
  fileOf('sessions of one second', (writer, second) => writer.write(SESSION, [second, 60, 70, 80]), [SESSION]),
  fileOf(
    'pauses of one second',
    (writer, second, index) => {
      writer.write(EVENT, [second, TIMER.number, TIMER.stop]);
      writer.write(EVENT, [second + 1 + (index % 2), TIMER.number, TIMER.start]);
    },
    [EVENT],
  ),
  fileOf('stops without a start', (writer, second) => writer.write(EVENT, [second, TIMER.number, TIMER.stop]), [EVENT]),
  fileOf('definitions with developer fields', (writer, second, index) => {
    writer.define(WITH_DEVELOPER_FIELDS);
    writer.write(WITH_DEVELOPER_FIELDS, record(second, index));
  }),
  fileOf('heartbeats of one second', (writer, _second, index) => writer.write(HRV, [600 + (index % 400)]), [HRV]),
  {
    name: 'chained files',
    contentOf(count, startMs) {
      const one = Buffer.from(FIT_COLLISIONS[0]?.contentOf(0, startMs) ?? '', 'base64');
      return Buffer.concat(Array.from({ length: count }, () => one)).toString('base64');
    },
  },
];
