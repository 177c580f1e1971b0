import { addBeat } from './beat.js';
import type { ExportElement, ExportRecord } from './element.js';
import { ExportError } from './errors.js';
import { Interner, sameBytes } from './intern.js';
import type { ExportLimits } from './limits.js';
import { countName } from './name-counts.js';
import { RecordFiller } from './record-filler.js';
import { decodeText } from './references.js';
import { INCOMPLETE, TagReader } from './tag.js';

const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
const BANG = 0x21;
const QUESTION = 0x3f;
const AMPERSAND = 0x26;
const SPACE = 0x20;
const RECORD = Buffer.from('Record');
const METADATA_ENTRY = Buffer.from('MetadataEntry');
const KEY = Buffer.from('key');
const BEAT_LIST = Buffer.from('HeartRateVariabilityMetadataList');
const BEAT = Buffer.from('InstantaneousBeatsPerMinute');
const COMMENT_START = Buffer.from('<!--');
const CDATA_START = Buffer.from('<![CDATA[');
const DOCTYPE_START = Buffer.from('<!DOCTYPE');
const EMPTY = Buffer.alloc(0);
const LONGEST_REFERENCE = 16;

/** Receives the results of a scan. Callbacks are synchronous. */
export interface ScanHandler {
  /** Called for every `Record` directly below `HealthData`, in file order. The object is reused. */
  onRecord(record: ExportRecord): void;
  /**
   * Called for every other element directly below `HealthData` whose name is in `wholeElements`, with all its children.
   */
  onElement(element: ExportElement): void;
}

export interface ScanOptions {
  limits: ExportLimits;
  /** Names of top-level elements to pass to {@link ScanHandler.onElement}. Other elements are only counted. */
  wholeElements: ReadonlySet<string>;
  /** Keys of a Record's metadata to store. */
  metadataKeys: ReadonlySet<string>;
  /** True to store the beats of variability records. */
  beatLists: boolean;
}

type Inside = 'nothing' | 'record' | 'whole' | 'skipped';

/**
 * Reads the export's XML from chunks of any size, byte by byte and without a tree. Accepts everything that the vendor's
 * phones have written: broken document type declarations (which it skips), control characters, attribute names with
 * blanks, both quotes, attributes in any order. Between chunks it stores only one incomplete tag.
 */
export class ExportScanner {
  /** Counts of top-level elements by name. */
  readonly elementCounts = new Map<string, number>();
  /** Counts of elements directly below a `Record`, except metadata, by name. */
  readonly recordChildCounts = new Map<string, number>();
  /** True after `</HealthData>`. Content that follows is ignored. */
  complete = false;
  /** True once `<HealthData` was read. */
  opened = false;
  recordCount = 0;

  private rest = EMPTY;
  private inside: Inside = 'nothing';
  private openNames: Buffer[] = [];
  private openElements: ExportElement[] = [];
  private descendants = 0;
  private readonly tag: TagReader;
  private readonly filler = new RecordFiller();
  private readonly names = new Interner();

  constructor(
    private readonly handler: ScanHandler,
    private readonly options: ScanOptions,
  ) {
    this.tag = new TagReader(options.limits);
  }

  /**
   * Reads the next chunk without retaining it.
   * @throws ExportError at the first fault. Data before it was delivered
   */
  write(chunk: Buffer): void {
    if (this.complete) return;
    const buffer = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const used = this.scan(buffer);
    if (!this.complete && buffer.length - used > this.options.limits.maxTagBytes) throw new ExportError('tag_too_long');
    this.rest = this.complete || used === buffer.length ? EMPTY : Buffer.from(buffer.subarray(used));
  }

  private scan(buffer: Buffer): number {
    const end = buffer.length;
    let at = 0;
    while (at < end && !this.complete) {
      if (buffer[at]! <= SPACE) {
        at++;
        continue;
      }
      const next = buffer[at] === LESS ? this.markup(buffer, at, end) : this.text(buffer, at, end);
      if (next === INCOMPLETE) return at;
      at = next;
    }
    return at;
  }

  private markup(buffer: Buffer, at: number, end: number): number {
    if (at + 1 >= end) return INCOMPLETE;
    const next = buffer[at + 1];
    if (next === SLASH) return this.endTag(buffer, at);
    if (next === BANG) return this.declaration(buffer, at, end);
    if (next === QUESTION) return past(buffer, '?>', at + 2);
    return this.startTag(buffer, at, end);
  }

  // Skips text, because the vendor's elements contain no text. An undefined entity in the text still stops the reading.
  private text(buffer: Buffer, at: number, end: number): number {
    const less = buffer.indexOf(LESS, at);
    const textEnd = less < 0 ? end : less;
    const text = buffer.subarray(0, textEnd);
    let ampersand = text.indexOf(AMPERSAND, at);
    while (ampersand >= 0) {
      const stop = Math.min(ampersand + LONGEST_REFERENCE, textEnd);
      const reference = buffer.toString('latin1', ampersand, stop);
      const semicolon = reference.indexOf(';');
      if (semicolon < 0 && stop === end) return ampersand > at ? ampersand : INCOMPLETE;
      decodeText(semicolon < 0 ? reference : reference.slice(0, semicolon + 1));
      ampersand = text.indexOf(AMPERSAND, ampersand + 1);
    }
    return textEnd;
  }

  private declaration(buffer: Buffer, at: number, end: number): number {
    if (startsLike(buffer, at, end, COMMENT_START)) return past(buffer, '-->', at + 4);
    if (startsLike(buffer, at, end, CDATA_START)) return past(buffer, ']]>', at + 9);
    if (startsLike(buffer, at, end, DOCTYPE_START)) return this.opened ? past(buffer, '>', at) : doctype(buffer, at);
    return past(buffer, '>', at);
  }

  private startTag(buffer: Buffer, at: number, end: number): number {
    const { tag } = this;
    const next = tag.read(buffer, at, end);
    if (next === INCOMPLETE) return INCOMPLETE;
    if (this.openNames.length === 1) this.topLevel(buffer);
    else if (this.openNames.length === 0) this.root(buffer);
    else this.nested(buffer);
    if (tag.selfClosing) {
      this.close();
    } else if (this.openNames.length > this.options.limits.maxDepth) {
      throw new ExportError('too_deep');
    }
    return next;
  }

  private root(buffer: Buffer): void {
    const name = this.name(buffer);
    if (name.text !== 'HealthData') throw new ExportError('not_an_export');
    this.opened = true;
    this.openNames.push(name.bytes);
  }

  private topLevel(buffer: Buffer): void {
    const { tag } = this;
    if (sameBytes(buffer, tag.nameStart, tag.nameEnd, RECORD)) {
      this.recordCount++;
      this.filler.fill(buffer, tag);
      this.inside = 'record';
      this.openNames.push(RECORD);
      return;
    }
    const name = this.name(buffer);
    countName(this.elementCounts, name.text);
    this.openNames.push(name.bytes);
    this.descendants = 0;
    if (!this.options.wholeElements.has(name.text)) {
      this.inside = 'skipped';
      return;
    }
    this.inside = 'whole';
    this.openElements.push(this.element(buffer, name.text));
  }

  private nested(buffer: Buffer): void {
    const { tag } = this;
    // Beats are most of the elements in records, so they skip the lookup of their name.
    if (this.inside === 'record' && this.openNames.length === 3 && this.openNames[2] === BEAT_LIST) {
      if (sameBytes(buffer, tag.nameStart, tag.nameEnd, BEAT)) {
        this.openNames.push(BEAT);
        addBeat(this.filler.record.beats, buffer, tag);
        return;
      }
    }
    const name = this.name(buffer);
    this.openNames.push(name.bytes);
    if (this.inside === 'whole') {
      if (++this.descendants > this.options.limits.maxDescendants) throw new ExportError('element_too_large');
      const element = this.element(buffer, name.text);
      this.openElements.at(-1)!.children.push(element);
      this.openElements.push(element);
    } else if (this.inside === 'record' && this.openNames.length === 3) {
      if (sameBytes(buffer, tag.nameStart, tag.nameEnd, METADATA_ENTRY)) {
        this.metadata(buffer);
        return;
      }
      countName(this.recordChildCounts, name.text);
      if (this.options.beatLists && name.bytes.equals(BEAT_LIST)) this.openNames[2] = BEAT_LIST;
    }
  }

  private metadata(buffer: Buffer): void {
    const { spans, attributeCount } = this.tag;
    let key = '';
    let value = '';
    for (let i = 0; i < attributeCount * 4; i += 4) {
      const start = spans[i + 2]!;
      const end = spans[i + 3]!;
      if (sameBytes(buffer, spans[i]!, spans[i + 1]!, KEY)) {
        key = this.names.intern(buffer, start, end).text;
        if (!this.options.metadataKeys.has(key)) return;
      } else {
        value = decodeText(buffer.toString('utf8', start, end));
      }
    }
    if (key !== '') this.filler.record.metadata.set(key, value);
  }

  private element(buffer: Buffer, name: string): ExportElement {
    const { spans, attributeCount } = this.tag;
    const attributes = new Map<string, string>();
    for (let i = 0; i < attributeCount * 4; i += 4) {
      const key = this.names.intern(buffer, spans[i]!, spans[i + 1]!).text;
      attributes.set(key, decodeText(buffer.toString('utf8', spans[i + 2]!, spans[i + 3]!)));
    }
    return { name, attributes, children: [] };
  }

  private endTag(buffer: Buffer, at: number): number {
    const next = buffer.indexOf(GREATER, at) + 1;
    if (next === 0) return INCOMPLETE;
    let nameEnd = next - 1;
    while (nameEnd > at + 2 && buffer[nameEnd - 1]! <= SPACE) nameEnd--;
    const open = this.openNames.at(-1);
    if (open === undefined || !sameBytes(buffer, at + 2, nameEnd, open)) throw new ExportError('xml_malformed');
    this.close();
    return next;
  }

  private close(): void {
    this.openNames.pop();
    const depth = this.openNames.length;
    const element = this.inside === 'whole' ? this.openElements.pop() : undefined;
    if (depth === 0) {
      this.complete = true;
    } else if (depth === 1) {
      const { inside } = this;
      this.inside = 'nothing';
      if (inside === 'record') this.handler.onRecord(this.filler.record);
      else if (element !== undefined) this.handler.onElement(element);
    }
  }

  private name(buffer: Buffer) {
    return this.names.intern(buffer, this.tag.nameStart, this.tag.nameEnd);
  }
}

/** Returns the position after the next `text`, or {@link INCOMPLETE}. */
function past(buffer: Buffer, text: string, from: number): number {
  const found = buffer.indexOf(text, from, 'latin1');
  return found < 0 ? INCOMPLETE : found + text.length;
}

function startsLike(buffer: Buffer, at: number, end: number, start: Buffer): boolean {
  return end - at >= start.length && sameBytes(buffer, at, at + start.length, start);
}

/**
 * Returns the position after a document type declaration. Recognizes only comments and the closing `]>`, because export
 * versions 11 and 12 have malformed declarations (an ATTLIST is never closed).
 */
function doctype(buffer: Buffer, at: number): number {
  const subset = buffer.indexOf('[', at, 'latin1');
  const close = buffer.indexOf('>', at, 'latin1');
  if (close < 0 && subset < 0) return INCOMPLETE;
  if (subset < 0 || (close >= 0 && close < subset)) return close + 1;
  let from = subset + 1;
  for (;;) {
    const bracket = buffer.indexOf(']', from, 'latin1');
    const comment = buffer.indexOf('<!--', from, 'latin1');
    if (comment >= 0 && (bracket < 0 || comment < bracket)) {
      from = past(buffer, '-->', comment + 4);
      if (from === INCOMPLETE) return INCOMPLETE;
      continue;
    }
    if (bracket < 0) return INCOMPLETE;
    let after = bracket + 1;
    while (after < buffer.length && buffer[after]! <= SPACE) after++;
    if (after >= buffer.length) return INCOMPLETE;
    if (buffer[after] === GREATER) return after + 1;
    from = bracket + 1;
  }
}
