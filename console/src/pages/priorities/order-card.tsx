import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react';
import { useState } from 'react';
import { Loading } from '../../components/loading.js';
import { Problem } from '../../components/problem.js';
import { type Ranked, usePriorities, useSetPriorities } from '../../hooks/use-priorities.js';
import { moved, reversedPairs } from './order.js';
import { OrderEffect } from './order-effect.js';
import { UserEffect } from './user-effect.js';

interface OrderCardProps {
  ranked: Ranked;
  title: string;
  nameOf: (code: string) => string;
  /** User whose days the preview includes. */
  userId: string | undefined;
}

/** Reorderable list. Shows a preview of the effect before saving. */
export function OrderCard({ ranked, title, nameOf, userId }: OrderCardProps) {
  const stored = usePriorities(ranked);
  const [changed, setChanged] = useState<string[]>();
  const [dragged, setDragged] = useState<number>();
  const save = useSetPriorities(ranked, () => setChanged(undefined));
  if (stored.error) return <Problem error={stored.error} retry={stored.refetch} />;
  if (!stored.data) return <Loading />;
  const order = changed ?? stored.data;
  const flips = reversedPairs(stored.data, order);
  const move = (from: number, to: number) => setChanged(moved(order, from, to));
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span className="muted">highest priority first</span>
      </header>
      <ol className="order">
        {order.map((code, index) => (
          <li
            key={code}
            draggable
            aria-label={nameOf(code)}
            className={dragged === index ? 'dragged' : undefined}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move';
              setDragged(index);
            }}
            onDragOver={(event) => {
              event.preventDefault();
              if (dragged === undefined || dragged === index) return;
              move(dragged, index);
              setDragged(index);
            }}
            onDragEnd={() => setDragged(undefined)}
          >
            <GripVertical className="icon" aria-hidden="true" />
            <span className="rank">{index + 1}</span>
            <b>{nameOf(code)}</b>
            <button
              type="button"
              className="quiet"
              aria-label={`Move ${nameOf(code)} up`}
              disabled={index === 0}
              onClick={() => move(index, index - 1)}
            >
              <ArrowUp className="icon" aria-hidden="true" />
            </button>
            <button
              type="button"
              className="quiet"
              aria-label={`Move ${nameOf(code)} down`}
              disabled={index === order.length - 1}
              onClick={() => move(index, index + 1)}
            >
              <ArrowDown className="icon" aria-hidden="true" />
            </button>
          </li>
        ))}
      </ol>
      {save.error && <Problem error={save.error} />}
      {flips.length > 0 && (
        <section className="body preview" aria-label={`Preview: ${title}`}>
          <p>
            If both have the same data, including data of past days:{' '}
            {flips.map(([winner, loser], index) => (
              <span key={`${winner} ${loser}`}>
                {index > 0 && ', '}
                <b>{nameOf(winner)}</b> counts instead of {nameOf(loser)}
              </span>
            ))}
            .
          </p>
          <OrderEffect ranked={ranked} order={order} />
          {userId && <UserEffect userId={userId} ranked={ranked} order={order} />}
          <div className="row end">
            <button type="button" onClick={() => setChanged(undefined)}>
              Discard
            </button>
            <button type="button" className="primary" disabled={save.isPending} onClick={() => save.mutate(order)}>
              Save order
            </button>
          </div>
        </section>
      )}
    </section>
  );
}
