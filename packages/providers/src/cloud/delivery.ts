import type { HealthRecord, ReplacementRecord } from '@healthd/model';
import type { ProviderConfiguration } from './provider-configuration.js';
import type { Tally } from './tally.js';
import type { TimeRange } from './time-range.js';
import type { VendorRequest } from './vendor-api.js';
import type { DeliveryHead } from './webhook.js';

/** A data type as delivery bodies name it. */
export interface DeliveredDataType {
  id: string;
  /** Alternative scopes. Any single scope in the list is sufficient. */
  scopes: readonly string[];
}

/** Meaning of one delivered item. */
export type DeliveredItem =
  /** Unknown item, or data that items of other types also contain. */
  | { kind: 'ignored' }
  /** An item without an account. */
  | { kind: 'unusable' }
  /** Data of an account. `records` reads it after the account is matched. */
  | { kind: 'data'; account: string }
  /** Data that is still at the vendor and is fetched with the user's token. */
  | { kind: 'callback'; account: string; url: string }
  /** The user ended the consent at the vendor. */
  | { kind: 'deregistration'; account: string }
  /**
   * The user changed the granted scopes. The service requests them from the vendor, because anyone could have sent the
   * notification.
   */
  | { kind: 'consent'; account: string };

/** Facts about the elements of a long list, under names that the vendor's adapter chooses. */
export type ListFacts = Readonly<Partial<Record<string, number>>>;

/** A list within items that are too large to read at once, such as the seconds of an activity. */
export interface LongList {
  member: string;
  /** Adds the facts about another piece's elements to `soFar`. */
  condense(elements: readonly unknown[], soFar: ListFacts): ListFacts;
}

/** Piece of a large item: all its members and a part of its long list. */
export interface ItemPiece {
  isLast: boolean;
  /** Facts about the list up to and including this piece. */
  facts: ListFacts;
}

/** Records of one item. */
export interface DeliveredRecords {
  records: HealthRecord[];
  /** True if more pieces of a large item follow. */
  isContinued?: boolean;
  /** Time span of the item. */
  span: TimeRange;
  /** Key that all versions of an item share. An older version may arrive after a newer one. */
  key?: string;
  /** Version within one key. The higher version is newer. Of equal or missing versions, the later arrival is newer. */
  version?: number;
  /**
   * Key prefix shared by all items of one day, followed by a space. A day's score that is the maximum of a series is
   * computed over the spans of all these items.
   */
  day?: string;
  /**
   * Rank among items of different types that describe the same workout. The order of arrival does not matter. An item
   * below the highest rank so far only completes the stored workout.
   */
  precedence?: { family: string; key: string; rank: number };
  /** Set if items of this type must not overlap in time, whatever their keys. Requires `key`. */
  exclusive?: ExclusiveSpan;
}

/** An item that replaces overlapping items of its type unless they have a higher rank. */
interface ExclusiveSpan {
  /** The item with the higher rank wins an overlap. For equal ranks `follows` decides, then the later item wins. */
  rank: number;
  /**
   * Set if items of this type belong to items of the type `dataType`. For equal ranks, an item wins if it starts at the
   * same time as a `dataType` item of at least this rank. A replaced item stays replaced even if the vendor redelivers
   * it.
   */
  follows?: { dataType: string; rank: number };
  /** Parts to remove from the replaced items unless the item's own records contain them. */
  replaces: readonly ReplacedPart[];
}

/** A replacement whose window is derived from the overlapping items. */
export type ReplacedPart = {
  of: WithoutWindow<ReplacementRecord>;
} /** The window consists of the spans of the item and of the items that it replaced. */ & (
  | { where: 'everywhere' }
  /**
   * The window consists only of the parts of replaced items that no current item of this type covers. The data to
   * remove is in items of type `dataType`. An item of that type that does not overlap the new item keeps its data.
   */
  | { where: 'outside'; dataType: string }
);

type WithoutWindow<Record> = Record extends ReplacementRecord ? Omit<Record, 'startMs' | 'endMs'> : never;

/** Verifies a vendor's signature over a body while its bytes arrive. */
export interface BodySignature {
  /** Adds bytes as they were sent, before decompression. */
  update(bytes: Buffer): void;
  /** True if the signature matches all bytes; compares in constant time. Call once. */
  isGood(): boolean;
}

/**
 * Result of authenticating a delivery by its headers and query. `setting_missing`: the delivery may be genuine, but the
 * setting for the check is missing.
 */
export type DeliveryProof = 'proven' | 'refused' | 'setting_missing';

/** Fetches data that a delivery only announces. */
export interface CallbackAdapter {
  /** Returns the request for an announced URL. Undefined if the URL is not below the vendor's configured API. */
  request(url: string, configuration: ProviderConfiguration): VendorRequest | undefined;
  /** Returns the items in the response. @throws VendorError `invalid_answer` */
  itemsOf(dataType: string, announced: unknown, bytes: Uint8Array): Promise<Buffer>;
  /** Returns an item that contains the reason for a failed fetch. Reading the item counts a rejection. */
  failed(announced: unknown, code: string): unknown;
}

/** One item of a body that is a message about one account. */
export interface DeliveredMessageItem {
  dataType: string;
  item: unknown;
}

/**
 * Webhooks whose bodies carry the data: one JSON object with lists of items of any number of users, or a message about
 * one account. A body is stored as it arrives, acknowledged, and read later.
 */
export interface DeliveryAdapter {
  /** Checks the headers and query before the body is read. Compares in constant time. */
  authenticate(head: DeliveryHead, configuration: ProviderConfiguration): DeliveryProof;
  /**
   * Setting that proves deliveries, and the query parameter that carries it. While the setting is unset, deliveries
   * wait at the vendor. Undefined if nothing in the URL proves a delivery.
   */
  addressProof?: { setting: string; parameter: string };
  /** Verifies the body's signature, if the vendor signs bodies. A body without a valid signature is not stored. */
  signature?(head: DeliveryHead, configuration: ProviderConfiguration): BodySignature;
  /** True if the vendor may never resend a rejected delivery. The data is then also polled once a day. */
  losesDeliveries?: true;
  /**
   * Returns the items of a body that is a message about one account; empty for other messages. Undefined if bodies are
   * objects of lists.
   */
  itemsOf?(message: unknown): readonly DeliveredMessageItem[];
  /** Maximum size of a decompressed body in bytes. Messages are held in memory. */
  maxBytes: number;
  /** Maximum size of one list item in bytes, which is held in memory. */
  maxItemBytes: number;
  dataTypes: readonly DeliveredDataType[];
  /** Classifies an item of the list `dataType`. */
  classify(dataType: string, item: unknown): DeliveredItem;
  /** Undefined if deliveries always carry the data. */
  callback?: CallbackAdapter;
  /**
   * Returns the list by which large items of a type are read in pieces. An item that is large for another reason cannot
   * be read.
   */
  longList?(dataType: string): LongList | undefined;
  /**
   * Reads an item or a piece of an item. Returns undefined if nothing is usable; the tally then contains the reason.
   * For a large item, the tally contains the reason after the last piece.
   */
  records(dataType: string, item: unknown, tally: Tally, piece?: ItemPiece): DeliveredRecords | undefined;
}
