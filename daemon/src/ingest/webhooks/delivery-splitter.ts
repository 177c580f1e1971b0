import type { RejectionCode } from '@healthd/model';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

const NULL = Buffer.from('null');

/** Levels below an item at most; what vendors send has four. */
const MAX_DEPTH = 32;
/** Names of lists are short. */
const MAX_NAME_BYTES = 256;

/** Items of one body at most. The largest honest body has a third of that. */
const MAX_ITEMS = 1_000_000;

/** One item of a list of a body, its JSON not looked at yet. */
export interface DeliveredPart {
  dataType: string;
  json: Buffer;
  /** Number of adjacent elements that are not objects. They are one part, whose JSON is `null`. */
  oddItems?: number;
  /** Why its JSON is left out: no honest item is like that. */
  fault?: Extract<RejectionCode, 'item_too_large' | 'too_deep'>;
}

/**
 * Why a body cannot be split.
 * - `truncated`: it ends before it is complete.
 * - `malformed`: it is something else than an object of lists of objects.
 * - `too_many_items`: nobody's devices record so much.
 */
export class DeliveryFault extends Error {
  override readonly name = 'DeliveryFault';

  constructor(readonly code: 'truncated' | 'malformed' | 'too_many_items') {
    super(code);
  }
}

/** What is expected next. `skipped`: within a member of the body that is no list; `odd`: within an item that is no object. */
type Place =
  | 'start'
  | 'name'
  | 'colon'
  | 'member'
  | 'item'
  | 'inside'
  | 'after_item'
  | 'after_member'
  | 'skipped'
  | 'odd'
  | 'end';

/**
 * Splits a body of the form `{"name": [item, …], …}` into its items as the bytes come, so that no more than one item is in
 * memory, however large the body. Items are distinguished by their brackets alone; whether each is JSON is for its reader.
 * One that is too large or too deep costs no other: it is a part with a fault.
 * Without `onPart` it only finds out whether a body is whole.
 */
export class DeliverySplitter {
  private place: Place = 'start';
  private depth = 0;
  private inString = false;
  private escaped = false;
  private dataType = '';
  private name: number[] = [];
  /** Pieces of the item that began in an earlier chunk. */
  private pieces: Buffer[] = [];
  private pieceBytes = 0;
  private fault: DeliveredPart['fault'];
  private mayClose = false;
  private items = 0;
  private oddItems = 0;

  constructor(
    private readonly maxItemBytes: number,
    private readonly onPart?: (part: DeliveredPart) => void,
  ) {}

  /** @throws DeliveryFault */
  push(chunk: Buffer): void {
    // Where the item that is under way begins in this chunk.
    let from = this.place === 'inside' ? 0 : -1;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (this.inString) {
        this.withinString(byte);
        continue;
      }
      if (this.place === 'odd' && this.depth === 0 && (byte === COMMA || byte === CLOSE_ARRAY)) {
        this.endItem();
      } else if (this.place === 'inside' || this.place === 'skipped' || this.place === 'odd') {
        if (byte === QUOTE) this.inString = true;
        else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
          if (++this.depth > MAX_DEPTH && this.place === 'inside') this.leaveOut('too_deep');
        } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
          if (this.depth === 0 && this.place === 'skipped') this.closeBody(byte);
          else if (--this.depth === 0 && this.place === 'inside') {
            this.keep(chunk.subarray(from, at + 1));
            from = -1;
            this.endItem();
          }
        } else if (byte === COMMA && this.depth === 0) this.next('name');
        continue;
      }
      if (isBlank(byte) || this.isMark(byte)) continue;
      if (this.step(byte)) from = at;
    }
    if (from >= 0) this.keep(chunk.subarray(from));
  }

  /** @throws DeliveryFault `truncated` when the body is not complete */
  end(): void {
    if (this.place !== 'end') throw new DeliveryFault('truncated');
  }

  /** @returns whether an item begins with this byte */
  private step(byte: number): boolean {
    switch (this.place) {
      case 'start':
        this.expect(byte === OPEN_OBJECT);
        this.mayClose = true;
        this.place = 'name';
        return false;
      case 'name':
        if (byte === CLOSE_OBJECT && this.mayClose) this.place = 'end';
        else {
          this.expect(byte === QUOTE);
          this.name = [];
          this.inString = true;
        }
        return false;
      case 'colon':
        this.expect(byte === COLON);
        this.place = 'member';
        return false;
      case 'member':
        this.startMember(byte);
        return false;
      case 'item':
        if (byte === CLOSE_ARRAY && this.mayClose) this.place = 'after_member';
        else if (byte === OPEN_OBJECT) {
          this.depth = 1;
          this.place = 'inside';
          return true;
        } else {
          this.expect(byte !== COMMA && byte !== CLOSE_ARRAY && byte !== CLOSE_OBJECT);
          this.depth = byte === OPEN_ARRAY ? 1 : 0;
          this.inString = byte === QUOTE;
          this.place = 'odd';
        }
        return false;
      case 'after_item':
        if (byte === CLOSE_ARRAY) {
          this.flushOddItems();
          this.place = 'after_member';
        } else {
          this.expect(byte === COMMA);
          this.next('item');
        }
        return false;
      case 'after_member':
        if (byte === CLOSE_OBJECT) this.place = 'end';
        else {
          this.expect(byte === COMMA);
          this.next('name');
        }
        return false;
      default:
        throw new DeliveryFault('malformed');
    }
  }

  private startMember(byte: number): void {
    if (byte === OPEN_ARRAY) {
      this.mayClose = true;
      this.place = 'item';
      return;
    }
    // Something beside the lists, such as a number; nothing of it is needed.
    this.depth = byte === OPEN_OBJECT ? 1 : 0;
    this.inString = byte === QUOTE;
    this.place = 'skipped';
  }

  private withinString(byte: number): void {
    if (this.place === 'name') {
      if (byte === QUOTE && !this.escaped) {
        this.inString = false;
        this.dataType = Buffer.from(this.name).toString();
        this.place = 'colon';
        return;
      }
      if (this.name.length >= MAX_NAME_BYTES) throw new DeliveryFault('malformed');
      this.name.push(byte);
    } else if (byte === QUOTE && !this.escaped) this.inString = false;
    this.escaped = byte === BACKSLASH && !this.escaped;
  }

  private closeBody(byte: number): void {
    this.expect(byte === CLOSE_OBJECT);
    this.place = 'end';
  }

  private next(place: 'name' | 'item'): void {
    this.mayClose = false;
    this.place = place;
  }

  private keep(piece: Buffer): void {
    this.pieceBytes += piece.length;
    if (this.pieceBytes > this.maxItemBytes) this.leaveOut('item_too_large');
    if (this.onPart !== undefined && this.fault === undefined) this.pieces.push(Buffer.from(piece));
  }

  private leaveOut(fault: DeliveredPart['fault']): void {
    this.fault ??= fault;
    this.pieces = [];
  }

  private endItem(): void {
    const { dataType, fault } = this;
    if (++this.items > MAX_ITEMS) throw new DeliveryFault('too_many_items');
    if (this.place === 'odd') this.oddItems += 1;
    else {
      this.flushOddItems();
      const json = fault === undefined ? Buffer.concat(this.pieces) : NULL;
      this.onPart?.({ dataType, json, ...(fault && { fault }) });
    }
    this.pieces = [];
    this.pieceBytes = 0;
    this.fault = undefined;
    this.place = 'after_item';
  }

  private flushOddItems(): void {
    const { dataType, oddItems } = this;
    this.oddItems = 0;
    if (oddItems > 0) this.onPart?.({ dataType, json: NULL, oddItems });
  }

  private isMark(byte: number): boolean {
    return this.place === 'start' && BYTE_ORDER_MARK.includes(byte);
  }

  private expect(isExpected: boolean): void {
    if (!isExpected) throw new DeliveryFault('malformed');
  }
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
