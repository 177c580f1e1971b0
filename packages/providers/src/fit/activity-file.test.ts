import type { WorkoutRecord } from '@healthd/model';
import { readableReadings, type WorkoutFile, workoutFileBytes } from '@healthd/simulators';
import FitParser from 'fit-file-parser';
import { describe, expect, it, test } from 'vitest';
import { fitChecksum } from './checksum.js';
import { completeFromFile, FitError, readFitActivity } from './index.js';

const START_MS = Date.parse('2026-05-09T06:30:00Z');
const FILE: WorkoutFile = {
  readings: Array.from({ length: 40 }, (_, n) => ({
    second: n < 20 ? n : n + 60,
    ...(n % 7 !== 3 && { heartRate: 110 + n }),
    speed: n / 8,
    cadence: 80 + (n % 5),
    power: 200 + n,
    elevation: n - 30.4,
    latitude: 60.1 + n / 10_000,
    longitude: -20.5 - n / 10_000,
  })),
  laps: [
    { second: 0, seconds: 50, meters: 200 },
    { second: 50, seconds: 50, meters: 150.5 },
  ],
  pauses: [{ second: 20, seconds: 60 }],
};
const bytesOf = (change: Partial<WorkoutFile> = {}) => Buffer.from(workoutFileBytes(START_MS, { ...FILE, ...change }));

/** Expected readings of the written data. */
const WRITTEN = new Map(
  FILE.readings.map(({ second, latitude = 0, longitude = 0, elevation = 0, ...measured }) => [
    START_MS + second * 1_000,
    {
      ...measured,
      elevation: expect.closeTo(elevation, 6),
      latitude: expect.closeTo(latitude, 6),
      longitude: expect.closeTo(longitude, 6),
    },
  ]),
);

/** Returns a file with these message bytes and a correct checksum. */
function framed(content: Uint8Array): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt8(12, 0);
  header.writeUInt8(0x10, 1);
  header.writeUInt32LE(content.length, 4);
  header.write('.FIT', 8, 'latin1');
  const file = Buffer.concat([header, content, Buffer.alloc(2)]);
  file.writeUInt16LE(fitChecksum(file.subarray(0, -2)), file.length - 2);
  return file;
}
/** @param content messages in hexadecimal digits */
const read = (...content: (string | string[])[]) =>
  readFitActivity(framed(Buffer.from(content.flat().join('').replaceAll(' ', ''), 'hex')));
const faultOf = async (bytes: Uint8Array) => {
  try {
    await readFitActivity(bytes);
    return undefined;
  } catch (error) {
    if (error instanceof FitError) return error.fault;
    throw error;
  }
};

describe('content of a file', () => {
  it('equals the written data, with laps and pauses', async () => {
    const { readings, laps, pauses } = await readFitActivity(bytesOf());
    expect(readings).toEqual(WRITTEN);
    expect(readings.get(START_MS + 3_000)?.heartRate).toBeUndefined();
    expect(laps).toEqual([
      { startMs: START_MS, durationSeconds: 50, distanceMeters: 200 },
      { startMs: START_MS + 50_000, durationSeconds: 50, distanceMeters: 150.5 },
    ]);
    expect(pauses).toEqual([{ startMs: START_MS + 20_000, durationSeconds: 60 }]);
  });

  it("equals another FIT reader's result for the same bytes", async () => {
    const parser = new FitParser({ force: false, mode: 'list', speedUnit: 'm/s', lengthUnit: 'm' });
    for (const change of [{}, { hasDeveloperFields: true }]) {
      const bytes = bytesOf(change);
      const { records = [], laps = [] } = await parser.parseAsync(bytes);
      const found = records.map((record) => [
        new Date(record.timestamp ?? '').getTime(),
        {
          ...(record.heart_rate != null && { heartRate: record.heart_rate }),
          speed: record.enhanced_speed,
          cadence: record.cadence,
          power: record.power,
          elevation: expect.closeTo(record.enhanced_altitude ?? Number.NaN, 6),
          latitude: expect.closeTo(record.position_lat ?? Number.NaN, 6),
          longitude: expect.closeTo(record.position_long ?? Number.NaN, 6),
        },
      ]);
      expect([...(await readFitActivity(bytes)).readings]).toEqual(found);
      expect(laps.map((lap) => [lap.total_elapsed_time, lap.total_distance])).toEqual([
        [50, 200],
        [50, 150.5],
      ]);
    }
  });

  it.each([
    ['with fields of an application on the watch', { hasDeveloperFields: true }],
    ['in two files that follow each other', { isChained: true }],
  ])('is the same %s', async (_, change) => {
    const { readings, laps, pauses } = await readFitActivity(bytesOf(change));
    expect(readings).toEqual(WRITTEN);
    expect([laps.length, pauses.length]).toEqual([2, 1]);
  });

  it('may have either byte order, older fields and times in headers', async () => {
    const { readings } = await read(
      // Big-endian: time, altitude, speed, heart rate as an array of two.
      '40 00 01 0014 04 fd0486 020284 060284 030202',
      '00 3f00001e 0bb8 0bb8 7879',
      // Local message 1: heart rate only, with five bits of the time in its header.
      '41 00 00 1400 01 030102',
      'bf 7a',
      'a1 7b',
    );
    const firstMs = Date.parse('1989-12-31T00:00:00Z') + 0x3f00001e * 1_000;
    expect([...readings]).toEqual([
      [firstMs, { elevation: 100, speed: 3, heartRate: 120 }],
      [firstMs + 1_000, { heartRate: 122 }],
      [firstMs + 3_000, { heartRate: 123 }],
    ]);
  });

  it('merges the values that were measured in one second', async () => {
    const { readings } = await read(
      '40 00 00 1400 03 fd0486 030102 070284',
      '00 0100003f 82 ffff',
      '00 0100003f 00 fa00',
    );
    expect([...readings.values()]).toEqual([{ heartRate: 130, power: 250 }]);
  });

  it('omits a record without a time', async () => {
    expect((await read('40 00 00 1400 01 030102', '00 78')).readings.size).toBe(0);
  });
});

describe('a damaged file', () => {
  it('keeps the records before a cut', async () => {
    const { readings, damage } = await readFitActivity(bytesOf({ damage: 'truncated' }));
    const readable = readableReadings(START_MS, { ...FILE, damage: 'truncated' });
    expect(readable.length).toBeGreaterThan(10);
    expect([...readings]).toEqual([...WRITTEN].slice(0, readable.length));
    expect(damage).toBe('truncated');
  });

  it('keeps all records if only the checksum is wrong', async () => {
    const { readings, laps, damage } = await readFitActivity(bytesOf({ damage: 'wrong_checksum' }));
    expect(readings).toEqual(WRITTEN);
    expect([laps.length, damage]).toEqual([2, 'checksum']);
  });

  it('keeps all records if the watch never wrote size and checksum', async () => {
    const { readings, damage } = await readFitActivity(bytesOf({ damage: 'unfinished' }));
    expect([readings, damage]).toEqual([WRITTEN, 'truncated']);
  });

  it('keeps the records before a message that has no definition', async () => {
    const { readings, damage } = await read('40 00 00 1400 02 fd0486 030102', '00 0100003f 82', '05 00 00');
    expect([[...readings.values()], damage]).toEqual([[{ heartRate: 130 }], 'malformed']);
  });

  it('keeps a whole file that is followed by stray bytes', async () => {
    const { readings, damage } = await readFitActivity(Buffer.concat([bytesOf(), Buffer.from([14])]));
    expect([readings, damage]).toEqual([WRITTEN, 'truncated']);
  });

  it('yields only correct records from a file cut at any byte', async () => {
    const bytes = bytesOf();
    for (let length = 0; length < bytes.length; length++) {
      const cut = bytes.subarray(0, length);
      const fault = await faultOf(cut);
      if (fault !== undefined) continue;
      const { readings, damage } = await readFitActivity(cut);
      expect([damage, [...readings]], `${length} bytes`).toEqual(['truncated', [...WRITTEN].slice(0, readings.size)]);
    }
  });

  it('reports any changed byte', async () => {
    const bytes = bytesOf();
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ (1 << (at % 8)), at);
      expect((await faultOf(changed)) ?? (await readFitActivity(changed)).damage, `byte ${at}`).toBeDefined();
    }
  });
});

describe("the watch's own figures", () => {
  const summary = { heartRateMin: 88, heartRateAvg: 131, heartRateMax: 172, elevationGain: 140 };

  it('are read from a session message', async () => {
    const { sessions } = await readFitActivity(
      bytesOf({ summary: { ...summary, elevationLow: 12.4, elevationHigh: 95 } }),
    );
    expect(sessions).toEqual([{ ...summary, elevationLow: 12.4, elevationHigh: 95 }]);
  });

  it('omit figures that the session marks as invalid', async () => {
    expect((await readFitActivity(bytesOf({ summary: { heartRateMax: 172 } }))).sessions).toEqual([
      { heartRateMax: 172 },
    ]);
  });
});

describe('completeFromFile', () => {
  const workout = { kind: 'workout', type: 'running', startMs: START_MS, endMs: START_MS + 1 } as WorkoutRecord;
  const summary = { heartRateMin: 88, heartRateAvg: 131, heartRateMax: 172, elevationGain: 140 };
  const completed = async (change: Partial<WorkoutFile>, given: Partial<WorkoutRecord> = {}) => {
    const activity = await readFitActivity(bytesOf(change));
    const { kind, type, startMs, endMs, ...figures } = completeFromFile(
      { ...workout, ...given },
      activity,
      activity.readings.values(),
    );
    return figures;
  };

  it.each([
    [
      'readings alone',
      {},
      {},
      { heartRateMin: 110, heartRateMax: 149, elevationLowMeters: -30.4, elevationHighMeters: 8.6 },
    ],
    [
      "the watch's own figures",
      { summary },
      {},
      {
        heartRateMin: 88,
        heartRateAvg: 131,
        heartRateMax: 172,
        elevationGainMeters: 140,
        elevationLowMeters: -30.4,
        elevationHighMeters: 8.6,
      },
    ],
    [
      "a file without replacing the workout's own figures",
      { summary },
      {
        heartRateMin: 90,
        heartRateAvg: 130,
        heartRateMax: 170,
        elevationGainMeters: 0,
        elevationLowMeters: 1,
        elevationHighMeters: 2,
      },
      {
        heartRateMin: 90,
        heartRateAvg: 130,
        heartRateMax: 170,
        elevationGainMeters: 0,
        elevationLowMeters: 1,
        elevationHighMeters: 2,
      },
    ],
    ['a damaged file, without its figures', { summary, damage: 'wrong_checksum' as const }, {}, {}],
  ])('completes a workout from %s', async (_, change, given, expected) => {
    expect(await completed(change, given)).toEqual(expected);
  });
});

test('lets timers run while reading a two-day file', async () => {
  const readings = Array.from({ length: 150_000 }, (_, second) => ({ second, heartRate: 60 + (second % 90) }));
  const bytes = workoutFileBytes(START_MS, { readings });
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  expect((await readFitActivity(bytes)).readings.size).toBe(readings.length);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(1);
});

describe('the FIT reader', () => {
  it('rejects bytes without any record, with the reason', async () => {
    expect(await faultOf(bytesOf().subarray(0, 30))).toBe('truncated');
    expect(await faultOf(Buffer.from('<!DOCTYPE html><title>Sign in</title>'))).toBe('not_fit');
    expect(await faultOf(new Uint8Array())).toBe('not_fit');
    expect(await faultOf(framed(Uint8Array.of(0x05, 1, 2)))).toBe('malformed');
    expect(await faultOf(framed(Uint8Array.of(0x40, 0, 0, 20, 0, 200, 253)))).toBe('malformed');
  });

  it('reads or rejects random bytes without other errors', async () => {
    let state = 7;
    const random = () => {
      state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
      return state >> 8;
    };
    for (let round = 0; round < 2_000; round++) {
      const content = Uint8Array.from({ length: random() % 400 }, random);
      // Starts with a valid definition in half of the rounds.
      if (round % 2 === 0) content.set([0x40, 0, 0, 20, 0, 1, 253, 4, 0x86].slice(0, content.length));
      // Accepted readings have valid times: `toISOString` throws for all others.
      try {
        const { readings, laps, pauses } = await readFitActivity(framed(content));
        for (const atMs of readings.keys()) new Date(atMs).toISOString();
        for (const { startMs } of [...laps, ...pauses]) new Date(startMs).toISOString();
      } catch (error) {
        if (!(error instanceof FitError)) throw error;
      }
    }
  });

  it('drops invalid times in 64-bit floating-point fields', async () => {
    const doubleOf = (value: number) => {
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleLE(value);
      return bytes.toString('hex');
    };
    for (const seconds of [1e300, -1, 0.5, 0xffffffff]) {
      const time = doubleOf(seconds);
      // A lap, a record and a pause with times as 64-bit floating-point numbers.
      const { laps, readings, pauses } = await read(
        ['40 00 00 1300 02 020889 070486', `00 ${time} e8030000`],
        ['41 00 00 1400 02 fd0889 030102', `01 ${time} 78`],
        ['42 00 00 1500 03 fd0889 000100 010100', `02 ${doubleOf(1_000)} 00 04`, `02 ${time} 00 00`],
      );
      expect([laps, [...readings], pauses], String(seconds)).toEqual([[], [], []]);
    }
    expect((await read(`40 00 00 1300 02 020889 070486 00 ${doubleOf(1_000)} e8030000`)).laps).toHaveLength(1);
  });

  it('measures a pause from its first stop to the next start', async () => {
    const FIT_EPOCH_MS = Date.UTC(1989, 11, 31);
    const timer = (seconds: number, type: string) => {
      const time = Buffer.alloc(4);
      time.writeUInt32LE((START_MS - FIT_EPOCH_MS) / 1_000 + seconds);
      return `02 ${time.toString('hex')} 00 ${type}`;
    };
    const [STOP, START] = ['04', '00'];
    const events = [timer(0, START), timer(20, STOP), timer(30, STOP), timer(80, START), timer(90, START)];
    expect((await read(['42 00 00 1500 03 fd0486 000100 010100', ...events])).pauses).toEqual([
      { startMs: START_MS + 20_000, durationSeconds: 60 },
    ]);
  });

  it('rejects a file with too many seconds or laps', async () => {
    const definition = [0x40, 0, 0, 20, 0, 1, 253, 4, 0x86];
    const seconds = 200_000;
    const content = Buffer.alloc(definition.length + seconds * 5);
    content.set(definition);
    for (let n = 0; n < seconds; n++) content.writeUInt32LE(0x3f000000 + n, definition.length + n * 5 + 1);
    expect(await faultOf(framed(content))).toBe('too_long');
    const laps = Array.from({ length: 2_001 }, (_, second) => ({ second, seconds: 1, meters: 1 }));
    expect(await faultOf(bytesOf({ laps }))).toBe('too_long');
  });

  it('reads 16 MB of other messages, but rejects 16 MB of records', async () => {
    const content = Buffer.alloc(16 * 1024 * 1024);
    // Messages without a field, one byte each.
    const definition = (message: number) => [0x40, 0, 0, message, 0, 0];
    content.set(definition(99));
    expect((await readFitActivity(framed(content))).readings.size).toBe(0);
    content.set(definition(20));
    expect(await faultOf(framed(content))).toBe('too_long');
  });
});
