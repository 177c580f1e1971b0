import { z } from 'zod';

/** Answer of a call that creates or changes a subscriber: a finished operation. */
export const subscriberOperationSchema = z.looseObject({
  response: z.looseObject({ endpointAuthorization: z.looseObject({ secretSet: z.boolean() }) }),
});

/** A page of a project's subscribers. */
export const subscriberPageSchema = z.looseObject({
  subscribers: z.array(z.looseObject({ name: z.string() })),
  nextPageToken: z.string().optional(),
});

/** Public keys of the notifications' signatures; each value a key message in base64. */
export const signatureKeysSchema = z.looseObject({
  key: z.array(z.looseObject({ keyId: z.number(), keyData: z.looseObject({ value: z.string() }) })),
});

/** What a notification says: whose data of which type has changed, and when. */
export const notificationSchema = z.looseObject({
  data: z.looseObject({
    operation: z.enum(['UPSERT', 'DELETE']),
    dataType: z.string(),
    intervals: z.array(z.looseObject({ physicalTimeInterval: z.unknown().optional() })),
  }),
});
