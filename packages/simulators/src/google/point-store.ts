import type { DataSource } from './point-types.js';
import { oldestFirst, reconcile } from './reconcile.js';
import type { StoredPoint } from './stored-points.js';

/** Cached streams of an account's data type. Cleared when its points change. */
interface Shelf {
  points: Map<string, StoredPoint>;
  streams: Map<string, StoredPoint[]>;
}

/** Selects the uploaded or merged stream, and the source family. */
export interface StreamChoice {
  mode: 'list' | 'reconcile';
  /** The family's full name, for the cache. */
  family: string;
  includes: (source: DataSource) => boolean;
}

export const ALL_SOURCES = 'users/me/dataSourceFamilies/all-sources';
export const LISTED: StreamChoice = { mode: 'list', family: ALL_SOURCES, includes: () => true };
export const RECONCILED: StreamChoice = { mode: 'reconcile', family: ALL_SOURCES, includes: () => true };

/** Health points of all accounts. */
export class PointStore {
  private readonly shelves = new Map<string, Shelf>();

  put(account: string, point: StoredPoint): void {
    const shelf = this.shelf(account, point.type.id);
    shelf.points.set(point.id, point);
    shelf.streams.clear();
  }

  remove(account: string, point: StoredPoint): void {
    const shelf = this.shelf(account, point.type.id);
    shelf.points.delete(point.id);
    shelf.streams.clear();
  }

  find(account: string, dataType: string, id: string): StoredPoint | undefined {
    return this.shelf(account, dataType).points.get(id);
  }

  /** Returns the ids of data types that have points. */
  typesOf(account: string): string[] {
    const prefix = `${account}\n`;
    return [...this.shelves]
      .filter(([key, shelf]) => key.startsWith(prefix) && shelf.points.size > 0)
      .map(([key]) => key.slice(prefix.length));
  }

  /** Returns the stream, oldest first. The stream of total energy contains first the active, then the basal points. */
  stream(account: string, dataType: string, choice: StreamChoice): readonly StoredPoint[] {
    const shelf = this.shelf(account, dataType);
    const key = `${choice.mode} ${choice.family}`;
    if (dataType === 'total-calories') {
      return ['active-energy-burned', 'basal-energy-burned'].flatMap((part) => this.stream(account, part, choice));
    }
    let stream = shelf.streams.get(key);
    if (!stream) {
      const points = [...shelf.points.values()].filter(({ source }) => choice.includes(source.wire));
      stream = choice.mode === 'list' ? points.sort(oldestFirst) : reconcile(points);
      shelf.streams.set(key, stream);
    }
    return stream;
  }

  clear(): void {
    this.shelves.clear();
  }

  private shelf(account: string, dataType: string): Shelf {
    const key = `${account}\n${dataType}`;
    let shelf = this.shelves.get(key);
    if (!shelf) {
      shelf = { points: new Map(), streams: new Map() };
      this.shelves.set(key, shelf);
    }
    return shelf;
  }
}
