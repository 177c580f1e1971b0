import type { Calendar } from '../calendar.js';
import { type DeviceKey, SIMULATED_DEVICES } from './devices.js';
import type { ExportTruth } from './truth.js';

const MAX_DECIMALS = 6;

/** One record to write; `value` is written unchanged. */
export interface Line {
  /** Identifier with its prefix. */
  type: string;
  device: DeviceKey;
  unit?: string;
  value: number | string;
  startMs: number;
  endMs?: number;
  metadata?: readonly (readonly [key: string, value: string])[];
  /** Additional XML inside the element. */
  inner?: string;
}

/** Writes `Record` elements as text and counts them for the truth. */
export class RecordLines {
  private parts: string[] = [];
  private length = 0;
  private readonly heads = new Map<string, string>();

  constructor(
    readonly calendar: Calendar,
    readonly truth: ExportTruth,
  ) {}

  /** Number of characters that have not been read yet. */
  get pending(): number {
    return this.length;
  }

  add(line: Line): void {
    this.truth.recordCounts[line.type] = (this.truth.recordCounts[line.type] ?? 0) + 1;
    this.raw(` ${this.element(line)}\n`);
  }

  /** Returns the element without counting it, for correlations, which repeat their records. */
  element({ type, device, unit, value, startMs, endMs = startMs, metadata, inner = '' }: Line): string {
    const end = this.calendar.text(endMs);
    const start = startMs === endMs ? end : this.calendar.text(startMs);
    const created = this.calendar.text(endMs + 4000);
    const head = this.head(type, device, unit);
    const open = `${head}${created}" startDate="${start}" endDate="${end}" value="${value}"`;
    if (metadata === undefined && inner === '') return `${open}/>`;
    return `${open}>\n${metadataLines(metadata ?? [], '  ')}${inner} </Record>`;
  }

  raw(text: string): void {
    this.parts.push(text);
    this.length += text.length;
  }

  take(): Buffer {
    const buffer = Buffer.from(this.parts.join(''), 'utf8');
    this.parts = [];
    this.length = 0;
    return buffer;
  }

  private head(type: string, device: DeviceKey, unit: string | undefined): string {
    const key = `${type}|${device}|${unit ?? ''}`;
    let head = this.heads.get(key);
    if (head === undefined) {
      head = `<Record type="${type}" ${sourceAttributes(device)}${unit ? ` unit="${escaped(unit)}"` : ''} creationDate="`;
      this.heads.set(key, head);
    }
    return head;
  }
}

/** Returns `sourceName`, `sourceVersion` and `device` of one device. */
export function sourceAttributes(key: DeviceKey): string {
  const { name, version, description } = SIMULATED_DEVICES[key];
  const base = `sourceName="${escaped(name)}" sourceVersion="${version}"`;
  if (description === undefined) return base;
  return `${base} device="${escaped(`<<HKDevice: 0x3015${key.length}a2c0>, ${description}, creation date:2024-09-17 16:12:03 +0000>`)}"`;
}

/** Returns `MetadataEntry` elements, one per line. */
export function metadataLines(entries: readonly (readonly [string, string])[], indent: string): string {
  return entries.map(([key, value]) => `${indent}<MetadataEntry key="${key}" value="${escaped(value)}"/>\n`).join('');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Formats a number like the vendor, without trailing zeros. */
export function printed(value: number, decimals = MAX_DECIMALS): string {
  return String(Number(value.toFixed(decimals)));
}
