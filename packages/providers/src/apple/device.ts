/** Facts in the export's `device` attribute; each is optional. */
export interface AppleDevice {
  name?: string;
  manufacturer?: string;
  /** Device name, e.g. `Watch`. */
  model?: string;
  /** Hardware code, e.g. `Watch6,2`. */
  hardware?: string;
  software?: string;
}

const PARTS = new Set(['name', 'manufacturer', 'model', 'hardware', 'software']);

/**
 * Parses `<<HKDevice: 0x2812>, name:Apple Watch, manufacturer:Apple Inc., hardware:Watch6,2, software:9.1>`. Values may
 * contain commas, so a part ends only before the next `, name:`.
 */
export function parseDevice(text: string): AppleDevice {
  const device: Record<string, string> = {};
  const body = text.replace(/^<</, '<').replace(/>$/, '');
  for (const part of body.split(/, (?=[a-zA-Z ]+:)/)) {
    const colon = part.indexOf(':');
    const key = part.slice(0, colon).trim();
    const value = part.slice(colon + 1).trim();
    if (colon > 0 && PARTS.has(key) && value !== '') device[key] = value;
  }
  return device;
}
