import type { DeviceTypePriority, ProviderPriority } from '@healthd/schemas';
import type { ModelStatic, Sequelize } from 'sequelize';
import { type PriorityModels, type PriorityRow, priorityModels } from './models.js';
import { PriorityList } from './priority-list.js';
import { Priorities } from './ranking.js';

const MAX_AGE_MS = 5_000;

/** The priorities of providers and of device types: their lists, and what follows from both for summaries. */
export class PriorityStore {
  readonly providers: PriorityList<ProviderPriority>;
  readonly deviceTypes: PriorityList<DeviceTypePriority>;
  private readonly models: PriorityModels;
  private cached: { readAt: number; priorities: Promise<Priorities> } | undefined;

  constructor(sequelize: Sequelize) {
    this.models = priorityModels(sequelize);
    const onChanged = () => this.forget();
    this.providers = new PriorityList({
      model: this.models.providers,
      item: (row) => ({ provider: row.name, ...common(row) }),
      onChanged,
    });
    this.deviceTypes = new PriorityList({
      model: this.models.deviceTypes,
      item: (row) => ({ device_type: row.name, ...common(row) }),
      onChanged,
    });
  }

  /**
   * The priorities in force. They are cached until {@link forget}, which every process calls when they change, and for five
   * seconds at most, in case a process was not notified.
   */
  current(): Promise<Priorities> {
    if (this.cached && performance.now() - this.cached.readAt < MAX_AGE_MS) return this.cached.priorities;
    const read = { readAt: performance.now(), priorities: this.read() };
    this.cached = read;
    // A failed read must not be remembered.
    read.priorities.catch(() => {
      if (this.cached === read) this.forget();
    });
    return read.priorities;
  }

  /** Makes the next summary of this process read the priorities again. */
  forget(): void {
    this.cached = undefined;
  }

  private async read(): Promise<Priorities> {
    const [providers, deviceTypes] = await Promise.all([
      ranksOf(this.models.providers),
      ranksOf(this.models.deviceTypes),
    ]);
    return new Priorities(providers, deviceTypes);
  }
}

async function ranksOf(model: ModelStatic<PriorityRow>): Promise<Map<string, number>> {
  return new Map((await model.findAll()).map(({ name, priority }) => [name, priority]));
}

function common({ id, priority, createdAt, updatedAt }: PriorityRow) {
  return { id, priority, created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() };
}
