import type { RejectionCode } from '@healthd/model';
import type { DeliveryAdapter, ItemPiece, ListFacts } from '@healthd/providers';
import type { DeliveredPart } from './delivery-splitter.js';
import { outlineItem } from './outline-item.js';

/** Maximum size of an item that is parsed as a whole. Parsing takes a few milliseconds. */
const WHOLE_BYTES = 512 * 1024;
const PIECE_BYTES = 256 * 1024;

/** One item of a body, or one piece of an item, parsed from JSON. */
export interface ReadPart {
  dataType: string;
  /** Undefined if the item is not JSON. A body may contain such an item among valid items. */
  value: unknown;
  bytes: number;
  piece?: ItemPiece;
  /** Rejection code of an item that is unreadable except for its account. */
  fault?: RejectionCode;
}

/**
 * Parses an item. Parses a large item in pieces, so that it blocks nothing else. The same item always has the same
 * pieces. A large item that cannot be cut is one part with a fault.
 */
export async function* readParts(
  adapter: DeliveryAdapter,
  { dataType, json }: DeliveredPart,
): AsyncGenerator<ReadPart> {
  if (json.length <= WHOLE_BYTES) {
    yield { dataType, value: parsed(json), bytes: json.length };
    return;
  }
  const list = adapter.longList?.(dataType);
  const outline = await outlineItem(json, { list: list?.member, pieceBytes: PIECE_BYTES, restBytes: WHOLE_BYTES });
  let facts: ListFacts = {};
  let read = 0;
  for (const piece of outline.pieces()) {
    read += 1;
    const value = parsed(piece);
    const common = { dataType, value, bytes: piece.length };
    if (outline.isCut) {
      yield { ...common, fault: 'item_too_large' };
    } else if (list === undefined || !isRecord(value)) {
      yield common;
    } else {
      const elements: unknown = value[list.member];
      if (Array.isArray(elements)) facts = list.condense(elements, facts);
      yield { ...common, piece: { isLast: read === outline.count, facts } };
    }
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function parsed(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString());
  } catch {
    return undefined;
  }
}
