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

/** Maximum depth of an item. Real items have four levels. */
const MAX_DEPTH = 32;
/** Maximum length of a list name. Real list names are short. */
const MAX_NAME_BYTES = 256;

/** Maximum number of items in a body. The largest legitimate body has a third of that. */
const MAX_ITEMS = 1_000_000;

/** One item of a list in a body, as unparsed JSON. */
export interface DeliveredPart {
  dataType: string;
  json: Buffer;
  /** Number of consecutive elements that are not objects. They form one part, whose JSON is `null`. */
  oddItems?: number;
  /** Reason why the item's JSON is omitted. Legitimate items have neither of these faults. */
  fault?: Extract<RejectionCode, 'item_too_large' | 'too_deep'>;
}

/**
 * Reason why a body cannot be split.
 * - `truncated`: the body is incomplete.
 * - `malformed`: the body is not an object of lists of objects.
 * - `too_many_items`: the body has more items than any user's devices record.
 */
export class DeliveryFault extends Error {
  override readonly name = 'DeliveryFault';

  constructor(readonly code: 'truncated' | 'malformed' | 'too_many_items') {
    super(code);
  }
}

/** Expected next token. `skipped`: within a member that is not a list. `odd`: within an item that is not an object. */
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
 * Splits a body of the form `{"name": [item, …], …}` into its items as the bytes arrive, with at most one item in
 * memory. Uses only the brackets; the reader validates each item's JSON. An item that is too large or too deep becomes
 * a part with a fault and does not affect the others. Without `onPart` it only checks whether the body is complete.
 */
export class DeliverySplitter {
  private place: Place = 'start';
  private readonly tokens = new JsonTokens();
  private depth = 0;
  private dataType = '';
  private name: Buffer = Buffer.alloc(0);
  /** Pieces of the current item from earlier chunks. */
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
    // Start of the current item or name in this chunk.
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
        const startsItem = this.step(token);
        if (startsItem) from = at;
        else if (token === TEXT) from = at + 1;
      }
      tokens.skim = this.place === 'inside' || this.place === 'odd' || this.place === 'skipped';
    }
    if (this.place === 'inside') this.keep(chunk.subarray(from));
    else if (this.place === 'name' && tokens.inText) this.keepName(chunk.subarray(from));
  }

  /** @throws DeliveryFault `truncated` if the body is incomplete */
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

  /** @returns true if an item starts with this token */
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
    // A member that is not a list, such as a number, is skipped.
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
