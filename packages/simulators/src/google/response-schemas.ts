import { z } from 'zod';

/** A JSON object that tests compare as a whole. */
const members = z.record(z.string(), z.unknown());

/** An error of the Health API. */
export const apiFailureSchema = z.looseObject({
  error: z.looseObject({
    message: z.string(),
    details: z.array(z.looseObject({ reason: z.string().optional() })).optional(),
  }),
});

/** A token response. The refresh token, scopes and identity depend on the grant type. */
export const tokensSchema = z.looseObject({
  access_token: z.string(),
  refresh_token: z.string().optional(),
  scope: z.string().optional(),
  id_token: z.string().optional(),
});

/** The token response for a consent with offline access. */
export const offlineTokensSchema = tokensSchema.required({ refresh_token: true, scope: true });

/** Public keys of identity tokens. */
export const jsonWebKeysSchema = z.looseObject({ keys: z.array(members) });

/** A page of points of any type. */
export const pointPageSchema = z.looseObject({
  dataPoints: z.array(members).optional(),
  nextPageToken: z.string().optional(),
});

/** A nonempty page of points of one type. */
export function pointsSchema<Point extends z.ZodType>(point: Point) {
  return z.looseObject({ dataPoints: z.array(point).min(1), nextPageToken: z.string().optional() });
}

export const stepsPointSchema = z.looseObject({
  dataSource: members.optional(),
  steps: z.looseObject({ interval: members, count: z.string().optional() }),
});

export const weightPointSchema = z.looseObject({
  weight: z.looseObject({ sampleTime: z.looseObject({ civilTime: z.looseObject({ time: members }) }) }),
});

export const sleepPointSchema = z.looseObject({
  sleep: z.looseObject({ interval: members, summary: members }),
});

export const exercisePointSchema = z.looseObject({
  exercise: z.looseObject({ metricsSummary: members }),
});

/** Windows of a roll-up. Hourly windows include their instants. */
export const rollUpSchema = z.looseObject({
  rollupDataPoints: z.array(z.looseObject({ startTime: z.string().optional() })).min(1),
  nextPageToken: z.string().optional(),
});

export const pairedDevicesSchema = z.looseObject({ pairedDevices: z.array(members) });
