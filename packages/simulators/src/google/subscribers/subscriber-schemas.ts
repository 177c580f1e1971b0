import { z } from 'zod';

/** Response to a call that creates or changes a subscriber: a completed operation. */
export const subscriberOperationSchema = z.looseObject({
  response: z.looseObject({ endpointAuthorization: z.looseObject({ secretSet: z.boolean() }) }),
});

/** A page of a project's subscribers. */
export const subscriberPageSchema = z.looseObject({
  subscribers: z.array(z.looseObject({ name: z.string() })),
  nextPageToken: z.string().optional(),
});

/** Public keys of notification signatures. Each value is a key message in base64. */
export const signatureKeysSchema = z.looseObject({
  key: z.array(z.looseObject({ keyId: z.number(), keyData: z.looseObject({ value: z.string() }) })),
});

/** A notification: user, data type and time of a change. */
export const notificationSchema = z.looseObject({
  data: z.looseObject({
    operation: z.enum(['UPSERT', 'DELETE']),
    dataType: z.string(),
    intervals: z.array(z.looseObject({ physicalTimeInterval: z.unknown().optional() })),
  }),
});
