import { ExportError } from './errors.js';
import type { ExportLimits } from './limits.js';

const QUOTE = 0x22;
const SLASH = 0x2f;
const APOSTROPHE = 0x27;
const LESS = 0x3c;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const SPACE = 0x20;
const MAX_ATTRIBUTES = 256;

/** Result of {@link TagReader.read} if the buffer ends before the tag ends. */
export const INCOMPLETE = -1;

/** Finds the parts of one start tag as positions in the buffer, without creating strings. */
export class TagReader {
  nameStart = 0;
  nameEnd = 0;
  selfClosing = false;
  attributeCount = 0;
  /** Four positions for every attribute: name start, name end, value start, value end. */
  readonly spans = new Int32Array(MAX_ATTRIBUTES * 4);

  constructor(private readonly limits: ExportLimits) {}

  /**
   * @param at position of `<`
   * @returns the position after `>`, or {@link INCOMPLETE}
   */
  read(buffer: Buffer, at: number, end: number): number {
    let i = at + 1;
    while (i < end && !endsName(buffer[i]!)) i++;
    if (i >= end) return INCOMPLETE;
    if (i === at + 1) throw new ExportError('xml_malformed');
    this.nameStart = at + 1;
    this.nameEnd = i;
    this.attributeCount = 0;
    for (;;) {
      while (i < end && buffer[i]! <= SPACE) i++;
      if (i >= end) return INCOMPLETE;
      const byte = buffer[i]!;
      if (byte === GREATER) {
        this.selfClosing = false;
        return i + 1;
      }
      if (byte === SLASH) {
        if (i + 1 >= end) return INCOMPLETE;
        if (buffer[i + 1] !== GREATER) throw new ExportError('xml_malformed');
        this.selfClosing = true;
        return i + 2;
      }
      const name = i;
      // Old exports have names with blanks. Such a name matches no known attribute and is dropped later.
      while (i < end && !endsAttributeName(buffer[i]!)) i++;
      if (i >= end) return INCOMPLETE;
      if (buffer[i] !== EQUALS || i === name) throw new ExportError('xml_malformed');
      let nameEnd = i;
      while (buffer[nameEnd - 1]! <= SPACE) nameEnd--;
      i++;
      while (i < end && buffer[i]! <= SPACE) i++;
      if (i >= end) return INCOMPLETE;
      const quote = buffer[i]!;
      if (quote !== QUOTE && quote !== APOSTROPHE) throw new ExportError('xml_malformed');
      const value = ++i;
      while (i < end && buffer[i] !== quote) i++;
      if (i - value > this.limits.maxAttributeBytes) throw new ExportError('attribute_too_long');
      if (i >= end) return INCOMPLETE;
      this.keep(name, nameEnd, value, i);
      i++;
    }
  }

  private keep(name: number, nameEnd: number, value: number, valueEnd: number): void {
    if (this.attributeCount === MAX_ATTRIBUTES) throw new ExportError('tag_too_long');
    const at = 4 * this.attributeCount++;
    this.spans[at] = name;
    this.spans[at + 1] = nameEnd;
    this.spans[at + 2] = value;
    this.spans[at + 3] = valueEnd;
  }
}

function endsName(byte: number): boolean {
  return byte <= SPACE || byte === GREATER || byte === SLASH;
}

function endsAttributeName(byte: number): boolean {
  return byte === EQUALS || byte === GREATER || byte === LESS;
}
