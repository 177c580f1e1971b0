import { buffer } from 'node:stream/consumers';
import { type FitMessageKind, FitWriter, zipBytes } from '@healthd/simulators';

/** Start of every file, unless a test passes another start. */
export const START = '2026-05-09T06:30:00Z';
const EPOCH_MS = Date.parse('1989-12-31T00:00:00Z');

const FILE_ID: FitMessageKind = {
  local: 0,
  global: 0,
  fields: [
    [0, 'enum'],
    [1, 'uint16'],
    [2, 'uint16'],
    [4, 'uint32'],
  ],
};
const RECORD: FitMessageKind = {
  local: 1,
  global: 20,
  fields: [
    [253, 'uint32'],
    [0, 'sint32'],
    [1, 'sint32'],
    [2, 'uint16'],
    [3, 'uint8'],
    [4, 'uint8'],
    [73, 'uint32'],
    [7, 'uint16'],
    [13, 'uint8'],
  ],
};
const SESSION: FitMessageKind = {
  local: 2,
  global: 18,
  fields: [
    [253, 'uint32'],
    [2, 'uint32'],
    [5, 'enum'],
    [6, 'enum'],
    [7, 'uint32'],
    [8, 'uint32'],
    [9, 'uint32'],
    [10, 'uint32'],
    [11, 'uint16'],
    [16, 'uint8'],
    [17, 'uint8'],
    [18, 'uint8'],
    [20, 'uint16'],
    [21, 'uint16'],
    [22, 'uint16'],
    [23, 'uint16'],
    [64, 'uint8'],
    [124, 'uint32'],
    [125, 'uint32'],
  ],
};
const ACTIVITY: FitMessageKind = {
  local: 3,
  global: 34,
  fields: [
    [253, 'uint32'],
    [5, 'uint32'],
  ],
};
const LAP: FitMessageKind = {
  local: 4,
  global: 19,
  fields: [
    [253, 'uint32'],
    [2, 'uint32'],
    [7, 'uint32'],
    [9, 'uint32'],
  ],
};

const SPORT: FitMessageKind = {
  local: 5,
  global: 12,
  fields: [
    [0, 'enum'],
    [1, 'enum'],
  ],
};

interface FitOptions {
  start?: string;
  /** Code of the file's type. */
  type?: number;
  manufacturer?: number;
  product?: number;
  /** Number of readings, one per second. */
  seconds?: number;
  cadence?: number;
  /** Sport, variant and strides of each session. Sessions follow each other. */
  sessions?: { sport: number; subSport?: number; cycles?: number; cadence?: number }[];
  laps?: number;
  /** Sport before the readings, of which some devices write none. */
  earlySport?: number;
}

/** Returns a FIT file of a workout with known content: heart rate 120, speed 3 m/s, 10 m per second of the session. */
export function fitFile({
  start = START,
  type = 4,
  manufacturer = 1,
  product = 4_315,
  seconds = 60,
  cadence = 85,
  sessions = [{ sport: 1, cycles: 85 }],
  laps = 0,
  earlySport,
}: FitOptions = {}): Buffer {
  const from = (Date.parse(start) - EPOCH_MS) / 1_000;
  const writer = new FitWriter();
  for (const kind of [FILE_ID, RECORD, SESSION, ACTIVITY, LAP]) writer.define(kind);
  writer.write(FILE_ID, [type, manufacturer, product, from]);
  if (earlySport !== undefined) {
    writer.define(SPORT);
    writer.write(SPORT, [earlySport, 0]);
  }
  for (let second = 0; second < seconds; second++) {
    const degrees = (value: number) => Math.round((value * 2 ** 31) / 180);
    const position = [degrees(48 + second / 10_000), degrees(11)];
    writer.write(RECORD, [from + second, ...position, (1_000 + second) * 5, 120, cadence, 3_000, 250, 21]);
  }
  const each = seconds / Math.max(1, sessions.length);
  for (const [at, { sport, subSport, cycles, cadence: average }] of sessions.entries()) {
    const startOf = from + Math.round(at * each);
    const times = [from + seconds, startOf, sport, subSport, each * 1_000, (each - 5) * 1_000, each * 1_000];
    writer.write(SESSION, [...times, cycles, 42, 121, 131, average ?? cadence, 240, 400, 30, 20, 90, 3_000, 4_000]);
  }
  for (let lap = 0; lap < laps; lap++) {
    const length = seconds / laps;
    writer.write(LAP, [from + seconds, from + lap * length, length * 1_000, length * 300]);
  }
  writer.write(ACTIVITY, [from + seconds, from + seconds + 7_200]);
  return writer.file();
}

interface TrackOptions {
  start?: string;
  seconds?: number;
  sport?: string;
}

const at = (start: string, second: number) => new Date(Date.parse(start) + second * 1_000).toISOString();

/** Returns a GPX file with one point per second, in two segments with 30 seconds between them. */
export function gpxFile({ start = START, seconds = 60, sport = 'running' }: TrackOptions = {}): string {
  const point = (n: number) => {
    const time = at(start, n < seconds / 2 ? n : n + 30);
    const measured = '<gpxtpx:hr>120</gpxtpx:hr><gpxtpx:cad>85</gpxtpx:cad><gpxtpx:atemp>21</gpxtpx:atemp>';
    return `<trkpt lat="${48 + n / 10_000}" lon="11"><ele>${500 + n}</ele><time>${time}</time><extensions><power>250</power><gpxtpx:TrackPointExtension>${measured}<gpxtpx:speed>3</gpxtpx:speed></gpxtpx:TrackPointExtension></extensions></trkpt>`;
  };
  const points = Array.from({ length: seconds }, (_, n) => point(n));
  const [first, second] = [points.slice(0, seconds / 2), points.slice(seconds / 2)];
  return `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="Example App" xmlns="http://www.topografix.com/GPX/1/1" xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
<metadata><time>${start}</time></metadata><trk><name>Round the lake</name><type>${sport}</type>
<trkseg>${first.join('\n')}</trkseg><trkseg>${second.join('\n')}</trkseg></trk></gpx>`;
}

/** Returns a TCX file with two laps of 30 seconds and one point per second. */
export function tcxFile({ start = START, sport = 'Running' }: Omit<TrackOptions, 'seconds'> = {}): string {
  const point = (n: number) =>
    `<Trackpoint><Time>${at(start, n)}</Time><Position><LatitudeDegrees>${48 + n / 10_000}</LatitudeDegrees><LongitudeDegrees>11</LongitudeDegrees></Position><AltitudeMeters>${500 + n}</AltitudeMeters><DistanceMeters>${n * 3}</DistanceMeters><HeartRateBpm><Value>120</Value></HeartRateBpm><Extensions><ns3:TPX><ns3:Speed>3</ns3:Speed><ns3:RunCadence>85</ns3:RunCadence><ns3:Watts>250</ns3:Watts></ns3:TPX></Extensions></Trackpoint>`;
  const lap = (from: number) =>
    `<Lap StartTime="${at(start, from)}"><TotalTimeSeconds>30</TotalTimeSeconds><DistanceMeters>90</DistanceMeters><MaximumSpeed>4</MaximumSpeed><Calories>21</Calories><AverageHeartRateBpm><Value>120</Value></AverageHeartRateBpm><MaximumHeartRateBpm><Value>131</Value></MaximumHeartRateBpm><Intensity>Active</Intensity><Track>${Array.from({ length: 30 }, (_, n) => point(from + n)).join('\n')}</Track><Extensions><ns3:LX><ns3:Steps>85</ns3:Steps></ns3:LX></Extensions></Lap>`;
  return `<?xml version="1.0"?><TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2" xmlns:ns3="http://www.garmin.com/xmlschemas/ActivityExtension/v2"><Activities><Activity Sport="${sport}"><Id>${start}</Id>${lap(0)}${lap(30)}<Creator><Name>Forerunner 965</Name></Creator></Activity></Activities></TrainingCenterDatabase>`;
}

/** Returns a zip archive of these files. */
export function zipOf(files: Readonly<Record<string, Buffer | string>>): Promise<Buffer> {
  const entries = Object.entries(files).map(([name, content]) => ({ name, content: Buffer.from(content) }));
  return buffer(zipBytes(entries));
}
