import { z } from 'zod';

const text = (description: string) => z.string().nullish().meta({ description });

/** Which device measured an item and which application wrote it. */
export const pushedSourceSchema = z
  .object({
    appId: text('Id of the application that wrote the item, such as `com.sec.android.app.shealth`'),
    bundleIdentifier: text('The same, of clients that call it so'),
    name: text('Name of that application for people'),
    version: text('Version of that application'),
    deviceId: text('Id of the device in the store'),
    deviceName: text('Name of the device for people'),
    deviceManufacturer: text('Maker of the device'),
    deviceModel: text('Model or hardware code, such as `Watch7,5` or `SM-L330`'),
    productType: text('Hardware code, of clients that send none as `deviceModel`'),
    deviceHardwareVersion: text('The same, of older clients'),
    deviceType: text(
      'Kind of device: `phone`, `watch`, `scale`, `ring`, `fitness_band`, `chest_strap`, `head_mounted`, `smart_display` or ' +
        '`unknown`; any other text is taken and the model decides',
    ),
    deviceSoftwareVersion: text('Version of the software of the device'),
    operatingSystemVersion: z
      .object({
        majorVersion: z.int().min(0).meta({ description: 'First number' }),
        minorVersion: z.int().min(0).meta({ description: 'Second number' }),
        patchVersion: z.int().min(0).meta({ description: 'Third number' }),
      })
      .meta({ id: 'PushSystemVersion', description: 'Version of the operating system of the device' })
      .nullish(),
    recordingMethod: text('`active`, `automatic`, `manual` or `unknown`; not stored'),
  })
  .meta({
    id: 'PushSource',
    description: 'Who measured and which application wrote it. Spellings with underscores (`app_id`) are read as well',
  });
