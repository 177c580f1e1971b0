import type { RejectionCode } from '@healthd/model';
import type { ItemPiece } from '@healthd/providers';
import type { Connection } from '../../connections/index.js';

/** An item that waits to be stored for a connection. */
export interface BufferedItem {
  /** Position in the body, from 1, each piece of a large item counted. */
  index: number;
  /** Position of the item in the body, from 1. */
  item: number;
  dataType: string;
  value: unknown;
  /** Undefined for an item that is read whole. */
  piece?: ItemPiece;
  /** Code of why it cannot be read. */
  fault?: RejectionCode;
}

/** What waits for one connection. */
export interface AccountItems {
  connection: Connection;
  items: BufferedItem[];
}

/** Items of a body by the connection that they are for, up to a limit of memory. */
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

  /** All that waits, in the order in which the connections turned up; nothing waits after that. */
  take(): AccountItems[] {
    const all = [...this.waiting.values()];
    this.waiting = new Map();
    this.bytes = 0;
    return all;
  }
}
