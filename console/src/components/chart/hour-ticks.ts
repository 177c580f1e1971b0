import { MS_PER_HOUR } from '@healthd/model';
import { formatInZone, type Zone } from '../../zone.js';
import type { Range } from './plot.js';

/** UTC offsets are multiples of this value. */
const QUARTER_MS = MS_PER_HOUR / 4;
const STEPS = [1, 2, 3, 4, 6, 12];
const MOST = 6;

/** Returns the full hours of a zone within a range, few enough for labels on narrow screens. */
export function hourTicks({ from, to }: Range, zone: Zone): { ms: number; label: string }[] {
  const hours = (to - from) / MS_PER_HOUR;
  const step = STEPS.find((one) => hours / one <= MOST) ?? 24;
  const ticks: { ms: number; label: string }[] = [];
  for (let ms = Math.ceil(from / QUARTER_MS) * QUARTER_MS; ms < to; ms += QUARTER_MS) {
    const label = formatInZone(ms, zone).slice(11);
    if (label.endsWith(':00') && Number(label.slice(0, 2)) % step === 0) ticks.push({ ms, label });
  }
  return ticks;
}
