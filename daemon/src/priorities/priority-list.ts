import type { ModelStatic } from 'sequelize';
import { repeatOnCollision, statementsWithin } from '../platform/database/index.js';
import type { PriorityRow } from './models.js';

/** Postgres channel that notifies all processes that priorities changed. */
export const PRIORITY_CHANNEL = 'healthd_priorities';

/** A name and its priority; lower wins. */
interface Ranking {
  name: string;
  priority: number;
}

export interface PriorityListOptions<Item> {
  model: ModelStatic<PriorityRow>;
  /** What a row is to callers. */
  item(row: PriorityRow): Item;
  /** After each change by this process. */
  onChanged(): void;
}

/** The priorities of one kind: read, and changed with effect on the next request of every process. */
export class PriorityList<Item> {
  constructor(private readonly options: PriorityListOptions<Item>) {}

  /** The one that wins first. */
  async list(): Promise<Item[]> {
    const { model, item } = this.options;
    return (await model.findAll({ order: ['priority', 'name'] })).map(item);
  }

  /** Sets what is named and leaves the rest; of a name that comes twice the last holds. */
  async set(rankings: readonly Ranking[]): Promise<void> {
    const { model, onChanged } = this.options;
    const last = new Map(rankings.map(({ name, priority }) => [name, priority]));
    // In one order, so that two writers never wait for each other.
    const rows = [...last].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, priority]) => ({ name, priority }));
    const sequelize = model.sequelize!;
    const store = () =>
      sequelize.transaction(async (transaction) => {
        await model.bulkCreate(rows, { updateOnDuplicate: ['priority', 'updatedAt'], transaction });
        await statementsWithin(sequelize, transaction).query('select pg_notify($1, $2)', [
          PRIORITY_CHANNEL,
          model.name,
        ]);
      });
    await repeatOnCollision(store);
    onChanged();
  }

  /** Sets one and gives it back. */
  async setOne(ranking: Ranking): Promise<Item> {
    const { model, item } = this.options;
    await this.set([ranking]);
    const row = await model.findByPk(ranking.name);
    if (!row) throw new Error(`${model.name} lost a row that was just written`);
    return item(row);
  }
}
