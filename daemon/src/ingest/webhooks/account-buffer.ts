import type { RejectionCode } from '@healthd/model';
import type { ItemPiece } from '@healthd/providers';
import type { Connection } from '../../connections/index.js';

/** An item that waits to be stored for a connection. */
export interface BufferedItem {
  /** Position in the body, from 1. Counts each piece of a large item. */
  index: number;
  /** Position of the item in the body, from 1. */
  item: number;
  dataType: string;
  value: unknown;
  /** Undefined for an item that is read as a whole. */
  piece?: ItemPiece;
  /** Rejection code of an unreadable item. */
  fault?: RejectionCode;
}

/** Items that wait for one connection. */
export interface AccountItems {
  connection: Connection;
  items: BufferedItem[];
}

/** Buffers a body's items by connection, up to a memory limit. */
export class AccountBuffer {
  private waiting = new Map<string, AccountItems>();
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  add(connection: Connection, item: BufferedItem, bytes: number): void {
    this.bytes += bytes;
    const known = this.waiting.get(connection.id);
    if (known) known.items.push(item);
    else this.waiting.set(connection.id, { connection, items: [item] });
  }

  get isFull(): boolean {
    return this.bytes >= this.maxBytes;
  }

  /** Removes and returns all buffered items, ordered by the first item of each connection. */
  take(): AccountItems[] {
    const all = [...this.waiting.values()];
    this.waiting = new Map();
    this.bytes = 0;
    return all;
  }
}
