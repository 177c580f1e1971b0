const DAY = 86_400;

/** Returns a body of one account's activities with a reading for every second. */
export function deliveryBody(userId: string, activities: number, seconds: number): Buffer {
  const today = Math.floor(Date.now() / 1_000 / DAY) * DAY;
  const items = Array.from({ length: activities }, (_, at) => {
    const start = today - (at + 1) * 3 * DAY;
    const summary = {
      activityType: 'CYCLING',
      startTimeInSeconds: start,
      startTimeOffsetInSeconds: 7_200,
      durationInSeconds: seconds,
      deviceName: 'Edge 1040',
    };
    const samples = Array.from({ length: seconds }, (_second, second) => sampleAt(start, second));
    return { userId, summaryId: `${at + 1}-detail`, activityId: at + 1, summary, samples, laps: [] };
  });
  return Buffer.from(JSON.stringify({ activityDetails: items }));
}

function sampleAt(start: number, second: number): object {
  return {
    startTimeInSeconds: start + second,
    latitudeInDegree: 50.061_43 + second / 1e6,
    longitudeInDegree: 19.936_58 + second / 1e6,
    elevationInMeters: 212.4 + (second % 100) / 10,
    airTemperatureCelcius: 18 + (second % 7),
    heartRate: 110 + (second % 60),
    speedMetersPerSecond: 7.25 + (second % 9) / 10,
    stepsPerMinute: 0,
    bikeCadenceInRPM: 80 + (second % 10),
    powerInWatts: 180 + (second % 120),
    totalDistanceInMeters: second * 7.25,
    timerDurationInSeconds: second,
    clockDurationInSeconds: second,
    movingDurationInSeconds: second,
  };
}
