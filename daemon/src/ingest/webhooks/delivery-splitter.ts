import type { RejectionCode } from '@healthd/model';

import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  JsonTokens,
  MARK,
  MORE,
  OPEN_ARRAY,
  OPEN_OBJECT,
  TEXT,
  TEXT_END,
} from '../../platform/json/index.js';

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
  private readonly tokens = new JsonTokens();
  private depth = 0;
  private dataType = '';
  private name: Buffer = Buffer.alloc(0);
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
    const { tokens } = this;
    tokens.feed(chunk);
    // Where the item or the name that is under way begins in this chunk.
    let from = 0;
    for (let token = tokens.next(); token !== MORE; token = tokens.next()) {
      const { at } = tokens;
      if (this.place === 'inside') {
        if (this.closesItem(token)) {
          this.keep(chunk.subarray(from, at + 1));
          this.endItem();
        }
      } else if (this.place === 'odd') this.stepOdd(token);
      else if (this.place === 'skipped') this.stepSkipped(token);
      else if (token === TEXT_END) this.endName(chunk.subarray(from, at));
      else if (token !== MARK || this.place !== 'start') {
        const beginsItem = this.step(token);
        if (beginsItem) from = at;
        else if (token === TEXT) from = at + 1;
      }
      tokens.skim = this.place === 'inside' || this.place === 'odd' || this.place === 'skipped';
    }
    if (this.place === 'inside') this.keep(chunk.subarray(from));
    else if (this.place === 'name' && tokens.inText) this.keepName(chunk.subarray(from));
  }

  /** @throws DeliveryFault `truncated` when the body is not complete */
  end(): void {
    if (this.place !== 'end') throw new DeliveryFault('truncated');
  }

  /** True if the item ends with this bracket. */
  private closesItem(token: number): boolean {
    if (token === OPEN_OBJECT || token === OPEN_ARRAY) {
      if (++this.depth > MAX_DEPTH) this.leaveOut('too_deep');
    } else if (token === CLOSE_OBJECT || token === CLOSE_ARRAY) return --this.depth === 0;
    return false;
  }

  private stepOdd(token: number): void {
    if (this.depth === 0 && (token === COMMA || token === CLOSE_ARRAY)) {
      this.endItem();
      this.step(token);
    } else this.nest(token);
  }

  private stepSkipped(token: number): void {
    if (this.depth === 0 && (token === CLOSE_OBJECT || token === CLOSE_ARRAY)) this.closeBody(token);
    else if (this.depth === 0 && token === COMMA) this.next('name');
    else this.nest(token);
  }

  private nest(token: number): void {
    if (token === OPEN_OBJECT || token === OPEN_ARRAY) this.depth++;
    else if (token === CLOSE_OBJECT || token === CLOSE_ARRAY) this.depth--;
  }

  /** @returns whether an item begins with this token */
  private step(token: number): boolean {
    switch (this.place) {
      case 'start':
        this.expect(token === OPEN_OBJECT);
        this.mayClose = true;
        this.place = 'name';
        return false;
      case 'name':
        if (token === CLOSE_OBJECT && this.mayClose) this.place = 'end';
        else this.expect(token === TEXT);
        return false;
      case 'colon':
        this.expect(token === COLON);
        this.place = 'member';
        return false;
      case 'member':
        this.startMember(token);
        return false;
      case 'item':
        if (token === CLOSE_ARRAY && this.mayClose) this.place = 'after_member';
        else if (token === OPEN_OBJECT) {
          this.depth = 1;
          this.place = 'inside';
          return true;
        } else {
          this.expect(token !== COMMA && token !== CLOSE_ARRAY && token !== CLOSE_OBJECT);
          this.depth = token === OPEN_ARRAY ? 1 : 0;
          this.place = 'odd';
        }
        return false;
      case 'after_item':
        if (token === CLOSE_ARRAY) {
          this.flushOddItems();
          this.place = 'after_member';
        } else {
          this.expect(token === COMMA);
          this.next('item');
        }
        return false;
      case 'after_member':
        if (token === CLOSE_OBJECT) this.place = 'end';
        else {
          this.expect(token === COMMA);
          this.next('name');
        }
        return false;
      default:
        throw new DeliveryFault('malformed');
    }
  }

  private startMember(token: number): void {
    if (token === OPEN_ARRAY) {
      this.mayClose = true;
      this.place = 'item';
      return;
    }
    // Something beside the lists, such as a number; nothing of it is needed.
    this.depth = token === OPEN_OBJECT ? 1 : 0;
    this.place = 'skipped';
  }

  private keepName(piece: Buffer): void {
    this.name = Buffer.concat([this.name, piece.subarray(0, MAX_NAME_BYTES + 1)]);
    if (this.name.length > MAX_NAME_BYTES) throw new DeliveryFault('malformed');
  }

  private endName(piece: Buffer): void {
    this.keepName(piece);
    this.dataType = this.name.toString();
    this.name = Buffer.alloc(0);
    this.place = 'colon';
  }

  private closeBody(token: number): void {
    this.expect(token === CLOSE_OBJECT);
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

  private expect(isExpected: boolean): void {
    if (!isExpected) throw new DeliveryFault('malformed');
  }
}
