import { z } from 'zod';

const text = (description: string) => z.string().nullish().meta({ description });

/** Device that measured an item and application that wrote it. */
export const pushedSourceSchema = z
  .object({
    appId: text('ID of the application that wrote the item, such as `com.sec.android.app.shealth`'),
    bundleIdentifier: text('Same as `appId`, from clients that use this name'),
    name: text('Display name of the application'),
    version: text('Version of the application'),
    deviceId: text('Device ID in the store'),
    deviceName: text('Display name of the device'),
    deviceManufacturer: text('Manufacturer of the device'),
    deviceModel: text('Model or hardware code, such as `Watch7,5` or `SM-L330`'),
    productType: text('Hardware code, from clients that do not send `deviceModel`'),
    deviceHardwareVersion: text('Same as `deviceModel`, from older clients'),
    deviceType: text(
      'Device type: `phone`, `watch`, `scale`, `ring`, `fitness_band`, `chest_strap`, `head_mounted`, `smart_display` or `unknown`. For other values, the model determines the type',
    ),
    deviceSoftwareVersion: text('Software version of the device'),
    operatingSystemVersion: z
      .object({
        majorVersion: z.int().min(0).meta({ description: 'Major version' }),
        minorVersion: z.int().min(0).meta({ description: 'Minor version' }),
        patchVersion: z.int().min(0).meta({ description: 'Patch version' }),
      })
      .meta({ id: 'PushSystemVersion', description: 'Operating system version of the device' })
      .nullish(),
    recordingMethod: text('`active`, `automatic`, `manual` or `unknown`; not stored'),
  })
  .meta({
    id: 'PushSource',
    description: 'Device and application. Names with underscores (`app_id`) are accepted too',
  });
