import { readDecimal } from './decimal.js';
import type { ExportRecord } from './element.js';
import { emptyRecord } from './element.js';
import { InstantReader } from './instant.js';
import type { Interned } from './intern.js';
import { Interner, sameBytes } from './intern.js';
import type { TagReader } from './tag.js';

const NAMES = {
  type: Buffer.from('type'),
  unit: Buffer.from('unit'),
  value: Buffer.from('value'),
  device: Buffer.from('device'),
  endDate: Buffer.from('endDate'),
  startDate: Buffer.from('startDate'),
  sourceName: Buffer.from('sourceName'),
  sourceVersion: Buffer.from('sourceVersion'),
};

/**
 * Fills an {@link ExportRecord} from the attributes of a `Record` tag, without creating strings for known texts.
 * Distinguishes attributes by length first, because nearly every byte of an export is read here.
 */
export class RecordFiller {
  readonly record: ExportRecord = emptyRecord();
  private readonly interner = new Interner();
  private readonly instant = new InstantReader();
  private type: Interned | undefined;
  private unit: Interned | undefined;
  private sourceName: Interned | undefined;
  private sourceVersion: Interned | undefined;
  private device: Interned | undefined;
  private valueText: Interned | undefined;

  fill(buffer: Buffer, tag: TagReader): void {
    this.clear();
    const { spans, attributeCount } = tag;
    for (let i = 0; i < attributeCount * 4; i += 4) {
      this.attribute(buffer, spans[i]!, spans[i + 1]!, spans[i + 2]!, spans[i + 3]!);
    }
  }

  private attribute(buffer: Buffer, name: number, nameEnd: number, start: number, end: number): void {
    const record = this.record;
    switch (nameEnd - name) {
      case 4:
        if (sameBytes(buffer, name, nameEnd, NAMES.type)) {
          record.type = this.type = this.intern(this.type, buffer, start, end);
        } else if (sameBytes(buffer, name, nameEnd, NAMES.unit)) {
          record.unit = this.unit = this.intern(this.unit, buffer, start, end);
        }
        break;
      case 5:
        if (sameBytes(buffer, name, nameEnd, NAMES.value)) this.value(buffer, start, end);
        break;
      case 6:
        if (sameBytes(buffer, name, nameEnd, NAMES.device)) {
          record.device = this.device = this.intern(this.device, buffer, start, end);
        }
        break;
      case 7:
        if (sameBytes(buffer, name, nameEnd, NAMES.endDate)) {
          record.hasEnd = end > start;
          this.instant.read(buffer, start, end);
          record.endMs = this.instant.ms;
          record.endOffsetMinutes = this.instant.offsetMinutes;
        }
        break;
      case 9:
        if (sameBytes(buffer, name, nameEnd, NAMES.startDate)) {
          record.hasStart = end > start;
          this.instant.read(buffer, start, end);
          record.startMs = this.instant.ms;
          record.startOffsetMinutes = this.instant.offsetMinutes;
        }
        break;
      case 10:
        if (sameBytes(buffer, name, nameEnd, NAMES.sourceName)) {
          record.sourceName = this.sourceName = this.intern(this.sourceName, buffer, start, end);
        }
        break;
      case 13:
        if (sameBytes(buffer, name, nameEnd, NAMES.sourceVersion)) {
          record.sourceVersion = this.sourceVersion = this.intern(this.sourceVersion, buffer, start, end);
        }
        break;
      default:
    }
  }

  private value(buffer: Buffer, start: number, end: number): void {
    this.record.hasValue = end > start;
    if (start === end) return;
    this.record.value = readDecimal(buffer, start, end);
    if (Number.isNaN(this.record.value)) {
      this.record.valueText = this.valueText = this.intern(this.valueText, buffer, start, end);
    }
  }

  private intern(last: Interned | undefined, buffer: Buffer, start: number, end: number): Interned {
    if (last !== undefined && sameBytes(buffer, start, end, last.bytes)) return last;
    return this.interner.intern(buffer, start, end);
  }

  private clear(): void {
    const record = this.record;
    record.index++;
    record.type = undefined;
    record.unit = undefined;
    record.sourceName = undefined;
    record.sourceVersion = undefined;
    record.device = undefined;
    record.value = Number.NaN;
    record.valueText = undefined;
    record.startMs = Number.NaN;
    record.endMs = Number.NaN;
    record.hasStart = false;
    record.hasEnd = false;
    record.hasValue = false;
    if (record.metadata.size > 0) record.metadata.clear();
    record.beats.length = 0;
  }
}
