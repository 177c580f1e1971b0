import { Random } from '../random.js';
import type { Call } from './exchange.js';
import type { Fault, FaultMatch } from './fault-types.js';

interface Planned {
  id: string;
  fault: Fault;
  fired: number;
  random: Random;
}

/** What is to go wrong, in the order in which it was planned. */
export class Faults {
  private planned: Planned[] = [];
  private count = 0;

  add(fault: Fault): string {
    const id = `fault-${++this.count}`;
    this.planned.push({ id, fault, fired: 0, random: new Random('fault', fault.seed ?? 1) });
    return id;
  }

  /** The fault that hits a request; it counts as fired. */
  strike(call: Call): Fault | undefined {
    for (const plan of this.planned) {
      const { times = 1, probability = 1, match } = plan.fault;
      if (times !== null && plan.fired >= times) continue;
      if (!matches(match ?? {}, call) || !isPossible(plan.fault, call)) continue;
      if (probability < 1 && !plan.random.chance(probability)) continue;
      plan.fired++;
      return plan.fault;
    }
    return undefined;
  }

  all(): { id: string; fault: Fault; fired: number }[] {
    return this.planned.map(({ id, fault, fired }) => ({ id, fault, fired }));
  }

  clear(): void {
    this.planned = [];
  }
}

function matches(match: FaultMatch, call: Call): boolean {
  const { role = 'api', path, ...equal } = match;
  if (call.role !== role) return false;
  if (path !== undefined && !`${call.path}?${call.query}`.includes(path)) return false;
  const members = Object.entries(equal) as [keyof typeof equal, string | undefined][];
  return members.every(([name, value]) => value === undefined || call[name] === value);
}

/** Pages exist in list and reconcile only. */
function isPossible({ kind }: Fault, { operation }: Call): boolean {
  if (kind !== 'empty_page' && kind !== 'repeated_token') return true;
  return operation === 'list' || operation === 'reconcile';
}
