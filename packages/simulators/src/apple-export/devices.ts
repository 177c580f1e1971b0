/** Devices and apps that write to the simulated health store. */
export type DeviceKey = 'watch' | 'phone' | 'scale' | 'sleepApp' | 'waterApp' | 'cuff';

export interface SimulatedDevice {
  /** `sourceName` of the export. */
  name: string;
  version: string;
  /** The `device` attribute without its memory address; undefined for applications without a device. */
  description?: string;
  /** Expected source in the service: hardware code or model, and the writing application if any. */
  deviceModel?: string;
  writer?: string;
}

/** Names contain a no-break space and a typographic apostrophe, like the names of real phones. */
export const SIMULATED_DEVICES: Readonly<Record<DeviceKey, SimulatedDevice>> = {
  watch: {
    name: 'Anna’s Apple\u00a0Watch',
    version: '10.6.1',
    description: 'name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,2, software:10.6.1',
    deviceModel: 'Watch6,2',
  },
  phone: {
    name: 'Anna’s iPhone',
    version: '17.6.1',
    description: 'name:iPhone, manufacturer:Apple Inc., model:iPhone, hardware:iPhone15,2, software:17.6.1',
    deviceModel: 'iPhone15,2',
  },
  scale: {
    name: 'Feather Scale',
    version: '4.2.0',
    description: 'name:Feather S2, manufacturer:Feather, model:S2 Body Scale, hardware:FS2, software:1.8',
    deviceModel: 'FS2',
    writer: 'Feather Scale',
  },
  sleepApp: {
    name: 'Clock',
    version: '50',
    description: 'name:iPhone, manufacturer:Apple Inc., model:iPhone, hardware:iPhone15,2, software:17.6.1',
    deviceModel: 'iPhone15,2',
    writer: 'Clock',
  },
  waterApp: { name: 'Sips & Drops', version: '12', writer: 'Sips & Drops' },
  cuff: { name: 'Cuff Diary', version: '3.1', writer: 'Cuff Diary' },
};
