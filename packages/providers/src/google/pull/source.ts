import { type DeviceType, deviceType, type SourceIdentity } from '@healthd/model';
import { isObject, textOf } from '../../payload/index.js';

/** Writer of cloud data. Keeps it separate from data that a phone pushed for the same provider. */
export const WRITER = 'google_health_api';

/** Source of merged streams and roll-ups, which name no device. */
export const MERGED_SOURCE: SourceIdentity = { provider: 'google', writer: WRITER };

const FORM_FACTORS: Readonly<Record<string, DeviceType>> = {
  WATCH: 'watch',
  FITNESS_BAND: 'band',
  PHONE: 'phone',
  SCALE: 'scale',
  RING: 'ring',
  CHEST_STRAP: 'other',
  TABLET: 'other',
  HEAD_MOUNTED: 'other',
  SMART_DISPLAY: 'other',
};

/** Returns the application and the device of a listed point. Both may be missing. */
export function sourceOf(dataSource: unknown): SourceIdentity {
  const source = isObject(dataSource) ? dataSource : {};
  const device = isObject(source.device) ? source.device : {};
  const application = isObject(source.application) ? textOf(source.application.packageName, 120) : undefined;
  const platform = textOf(source.platform);
  const name = textOf(device.displayName);
  const formFactor = textOf(device.formFactor);
  const described = [textOf(device.manufacturer), formFactor?.toLowerCase()].filter((part) => part !== undefined);
  return {
    provider: 'google',
    writer: application === undefined ? WRITER : `${WRITER}/${application}`,
    deviceModel: name ?? (described.length > 0 ? described.join(' ') : platform),
    deviceType: typeOf(formFactor, name),
    originalSourceName: application ?? platform,
  };
}

/** Derives the device type from the name if a tracker has no form factor. */
function typeOf(formFactor: string | undefined, name: string | undefined): DeviceType {
  if (formFactor !== undefined)
    return (Object.hasOwn(FORM_FACTORS, formFactor) && FORM_FACTORS[formFactor]) || 'unknown';
  const named = name === undefined ? 'other' : deviceType({ model: name });
  return named === 'other' ? 'unknown' : named;
}

/** Reuses the object of an equal source, because consecutive points often have the same source. */
export class Sources {
  private readonly known = new Map<string, SourceIdentity>();

  of(dataSource: unknown): SourceIdentity {
    const key = JSON.stringify(dataSource) ?? '';
    let source = this.known.get(key);
    if (source === undefined) {
      source = sourceOf(dataSource);
      this.known.set(key, source);
    }
    return source;
  }
}
