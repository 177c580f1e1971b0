import type { HealthRecord, ReplacementRecord } from '@healthd/model';
import type { ProviderConfiguration } from './provider-configuration.js';
import type { Tally } from './tally.js';
import type { TimeRange } from './time-range.js';
import type { VendorRequest } from './vendor-api.js';
import type { DeliveryHead } from './webhook.js';

/** A kind of data as the bodies of deliveries name it. */
export interface DeliveredDataType {
  id: string;
  /** Any one of these granted scopes is enough. */
  scopes: readonly string[];
}

/** What one item of a delivery is about. */
export type DeliveredItem =
  /** Nothing for us: a kind that is not known, or that other kinds hold already. */
  | { kind: 'ignored' }
  /** It names no account. */
  | { kind: 'unusable' }
  /** Data of an account, read by `records` once it is known who that is. */
  | { kind: 'data'; account: string }
  /** Data of an account that waits at the vendor, to be fetched with the person's token. */
  | { kind: 'callback'; account: string; url: string }
  /** The person ended the consent at the vendor. */
  | { kind: 'deregistration'; account: string }
  /** The person changed what they grant. The vendor is asked what it is, because anybody could have written the notice. */
  | { kind: 'consent'; account: string };

/** What is known of the elements of a long list, by names that its vendor's adapter gives. */
export type ListFacts = Readonly<Partial<Record<string, number>>>;

/** A list within items that are too large to be read in one piece, such as the seconds of an activity. */
export interface LongList {
  member: string;
  /** Adds what the elements of one more piece say of the whole list. */
  condense(elements: readonly unknown[], soFar: ListFacts): ListFacts;
}

/** Which piece of a large item is read: all its members, and a part of its long list. */
export interface ItemPiece {
  isLast: boolean;
  /** Facts about the list as far as it was read, this piece included. */
  facts: ListFacts;
}

/** What the records of one item are. */
export interface DeliveredRecords {
  records: HealthRecord[];
  /** Set for a piece of a large item of which more follow. */
  isContinued?: boolean;
  /** When it happened. */
  span: TimeRange;
  /** Names what later versions of the same item share, where an older one may come after a newer one. */
  key?: string;
  /**
   * Of two versions of one key the higher one is the newer; equal ones count in the order in which they came, and so do two of
   * which one does not say.
   */
  version?: number;
  /**
   * What it shares with the other items of one day, whose keys begin with it and a space. Scores of the day that are the highest
   * of a series are the highest in the spans of all of them.
   */
  day?: string;
  /**
   * Rank among items of several kinds about the same workout, in any order of arrival. Below the highest rank so far, an item
   * only completes the stored workout.
   */
  precedence?: { family: string; key: string; rank: number };
  /** Says that items of the kind exclude each other in time, regardless of their keys. Such an item has a key. */
  exclusive?: ExclusiveSpan;
}

/** An item that takes the place of the items of its kind that it overlaps, unless they have a higher rank. */
interface ExclusiveSpan {
  /** Of two items that overlap the one of the higher rank counts; of equal ones the one that `follows` says, else the later. */
  rank: number;
  /**
   * For items that belong to items of another kind: one that begins with such an item of this rank or a higher one counts
   * before one that does not, and one that another took the place of stays replaced when it comes again.
   */
  follows?: { dataType: string; rank: number };
  /** What is removed of the items whose place it takes, as far as its own records do not hold it. */
  replaces: readonly ReplacedPart[];
}

/** A replacement whose window follows from the items that met. */
export type ReplacedPart = {
  of: WithoutWindow<ReplacementRecord>;
} /** In the span of the item and of those that it replaced. */ & (
  | { where: 'everywhere' }
  /**
   * Only in what neither it nor another item of its kind covers of those that it replaced. Items of the kind `dataType` bring
   * what is removed; what an item brought that lies wholly outside belongs elsewhere, and stays.
   */
  | { where: 'outside'; dataType: string }
);

type WithoutWindow<Record> = Record extends ReplacementRecord ? Omit<Record, 'startMs' | 'endMs'> : never;

/** Checks a vendor's signature over the bytes of a body while they come. */
export interface BodySignature {
  /** Takes bytes as they were sent, before anything is unpacked. */
  update(bytes: Buffer): void;
  /** Whether all bytes together are what was signed; compares in constant time. Asked once. */
  isGood(): boolean;
}

/** Proof in the head of a delivery. `setting_missing`: it may be the vendor's, and the setting that proves it is unset. */
export type DeliveryProof = 'proven' | 'refused' | 'setting_missing';

/** How data that a delivery only announces is fetched. */
export interface CallbackAdapter {
  /** The request for an announced address. undefined if the address is not below the vendor's configured API. */
  request(url: string, configuration: ProviderConfiguration): VendorRequest | undefined;
  /** The items that the answer holds. @throws VendorError `invalid_answer` */
  itemsOf(dataType: string, announced: unknown, bytes: Uint8Array): Buffer;
  /** An item that says why nothing was fetched; it is read as a rejected one. */
  failed(announced: unknown, code: string): unknown;
}

/** One item of a body that is a message about one account. */
export interface DeliveredMessageItem {
  dataType: string;
  item: unknown;
}

/**
 * Webhooks whose bodies are the data: one JSON object of lists of items of any number of people, or a message about one
 * account. A body is stored as it comes, answered, and read afterwards.
 */
export interface DeliveryAdapter {
  /** Looks at what comes before the body. Compares in constant time. */
  authenticate(head: DeliveryHead, configuration: ProviderConfiguration): DeliveryProof;
  /**
   * Setting that proves deliveries, and the query parameter of the address that carries it. While it is unset, deliveries
   * wait at the vendor. undefined if nothing of the address proves a delivery.
   */
  addressProof?: { setting: string; parameter: string };
  /** Where the vendor signs bodies: a body is not stored unless its signature is good. */
  signature?(head: DeliveryHead, configuration: ProviderConfiguration): BodySignature;
  /** Whether a delivery that was not taken may be lost for good: the data are then polled once a day too. */
  losesDeliveries?: true;
  /**
   * The items of a body that is a message about one account and read whole; empty for a message of another kind. Undefined
   * where bodies are objects of lists.
   */
  itemsOf?(message: unknown): readonly DeliveredMessageItem[];
  /** Bytes of a body at most, unpacked. Those of a message are in memory. */
  maxBytes: number;
  /** Bytes of one item of a list at most: as much is in memory. */
  maxItemBytes: number;
  dataTypes: readonly DeliveredDataType[];
  /** What an item of the list `dataType` is about. */
  classify(dataType: string, item: unknown): DeliveredItem;
  /** undefined where deliveries always carry the data. */
  callback?: CallbackAdapter;
  /** The list by which large items of a kind are read in pieces; an item that is large for another reason cannot be read. */
  longList?(dataType: string): LongList | undefined;
  /**
   * Reads an item of data, or a piece of one; undefined when nothing of it can be used, which the tally then says, of a
   * large item with its last piece.
   */
  records(dataType: string, item: unknown, tally: Tally, piece?: ItemPiece): DeliveredRecords | undefined;
}
