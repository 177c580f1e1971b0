import { setImmediate as othersTurn } from 'node:timers/promises';

import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  JsonTokens,
  MORE,
  OPEN_ARRAY,
  OPEN_OBJECT,
  TEXT,
} from '../../platform/json/index.js';

/** Number of bytes scanned between two yields to other work. Scanning them takes a few milliseconds. */
const BYTES_A_TURN = 512 * 1024;

/** Options for splitting a large item. */
export interface OutlineOptions {
  /** Member whose elements may be read in pieces; undefined if no member may be split. */
  list: string | undefined;
  /** Size of a list piece in bytes. A piece that cannot be cut may be twice as large. */
  pieceBytes: number;
  /** Maximum total size in bytes of all other members. */
  restBytes: number;
}

/** A large item, split into separately readable parts. */
export interface ItemOutline {
  /** At least one JSON object. Each object has all other members and, if there is a list, a piece of the list. */
  pieces: () => Generator<Buffer>;
  count: number;
  /** True if the item is unusable, because members or list elements were too large and were omitted. */
  isCut: boolean;
}

/**
 * Finds an item's members and the positions where its long list may be cut. Uses only the brackets and does not block
 * the thread.
 * @param json an object; the reader of the pieces validates it
 */
export async function outlineItem(json: Buffer, options: OutlineOptions): Promise<ItemOutline> {
  const scan = new OutlineScan(json, options);
  while (!scan.isDone) {
    scan.goOn(BYTES_A_TURN);
    await othersTurn();
  }
  const { rest, groups, isCut } = scan;
  const head = Buffer.concat([
    Buffer.from('{'),
    ...rest.flatMap((member, at) => (at === 0 ? [member] : [comma, member])),
  ]);
  if (groups.length === 0 || isCut) {
    return { pieces: () => one(Buffer.concat([head, Buffer.from('}')])), count: 1, isCut };
  }
  const name = Buffer.from(`${rest.length === 0 ? '' : ','}${JSON.stringify(options.list)}:[`);
  return { pieces: () => piecesOf(json, groups, Buffer.concat([head, name])), count: groups.length, isCut };
}

const comma = Buffer.from(',');
const end = Buffer.from(']}');

function* one(piece: Buffer): Generator<Buffer> {
  yield piece;
}

function* piecesOf(json: Buffer, groups: readonly [number, number][], head: Buffer): Generator<Buffer> {
  for (const [from, to] of groups) yield Buffer.concat([head, json.subarray(from, to), end]);
}

class OutlineScan {
  readonly rest: Buffer[] = [];
  readonly groups: [number, number][] = [];
  isCut = false;
  isDone = false;
  private readonly tokens = new JsonTokens();
  /** Number of bytes passed to the tokenizer. */
  private fed = 0;
  /** Position of the last token in the item. */
  private at = 0;
  private depth = 0;
  private restBytes = 0;
  /** Start of the current member; -1 between two members. */
  private memberFrom = -1;
  private name: string | undefined;
  private groupFrom = -1;

  constructor(
    private readonly json: Buffer,
    private readonly options: OutlineOptions,
  ) {}

  /** Scans the next bytes. */
  goOn(bytes: number): void {
    const { json, tokens, fed } = this;
    const chunk = json.subarray(fed, fed + bytes);
    tokens.feed(chunk);
    for (let token = tokens.next(); token !== MORE; token = tokens.next()) {
      this.at = fed + tokens.at;
      if (token === OPEN_OBJECT || token === OPEN_ARRAY) this.open(token);
      else if (token === CLOSE_OBJECT || token === CLOSE_ARRAY) this.close();
      else if (token === COMMA) this.separate();
      else if (this.depth === 1) this.readMember(token);
    }
    this.fed = fed + chunk.length;
    this.isDone = this.fed >= json.length;
  }

  private readMember(token: number): void {
    if (token === TEXT && this.memberFrom < 0) this.memberFrom = this.at;
    if (token === COLON && this.name === undefined) {
      this.name = this.json.toString('utf8', this.memberFrom, this.at).trim();
    }
  }

  private open(token: number): void {
    this.tokens.skim = ++this.depth > 1;
    const { list } = this.options;
    const isList = this.depth === 2 && token === OPEN_ARRAY && list !== undefined && this.name === `"${list}"`;
    if (isList) this.groupFrom = this.at + 1;
  }

  private close(): void {
    if (this.depth === 2 && this.groupFrom >= 0) {
      this.endGroup();
      this.groupFrom = -1;
      // Excludes the list from the other members.
      this.memberFrom = -1;
    }
    this.tokens.skim = --this.depth > 1;
    if (this.depth === 0) this.endMember();
  }

  private separate(): void {
    if (this.depth === 1) this.endMember();
    else if (this.depth === 2 && this.groupFrom >= 0 && this.at - this.groupFrom >= this.options.pieceBytes) {
      this.endGroup();
      this.groupFrom = this.at + 1;
    }
  }

  private endGroup(): void {
    const bytes = this.at - this.groupFrom;
    if (bytes > 2 * this.options.pieceBytes) this.isCut = true;
    else if (bytes > 0) this.groups.push([this.groupFrom, this.at]);
  }

  private endMember(): void {
    this.name = undefined;
    if (this.memberFrom < 0) return;
    const member = this.json.subarray(this.memberFrom, this.at);
    this.memberFrom = -1;
    if (this.restBytes + member.length > this.options.restBytes) {
      this.isCut = true;
      return;
    }
    this.restBytes += member.length;
    this.rest.push(member);
  }
}
