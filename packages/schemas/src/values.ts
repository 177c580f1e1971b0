import type { z } from 'zod';

/** What a handler gets for a part of the request: the parsed value, or undefined where the route has none. */
export type Parsed<S, K extends 'params' | 'query' | 'body'> =
  S extends Record<K, infer T> ? (T extends z.ZodType ? z.output<T> : undefined) : undefined;

/**
 * What a caller passes for a part of the request; what may be undefined may be left out. Paths and queries are text: what
 * the service reads as a number or boolean may be passed as one.
 */
export type Passed<S, K extends 'params' | 'query' | 'body'> =
  S extends Record<K, infer T>
    ? T extends z.ZodType
      ? Omittable<K extends 'body' ? z.input<T> : Text<z.input<T>, z.output<T>>>
      : undefined
    : undefined;

type Text<In, Out> = { [P in keyof In]: In[P] | (P extends keyof Out ? Extract<Out[P], number | boolean> : never) };

type Omittable<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [P in keyof T as undefined extends T[P] ? never : P]: T[P] } & {
        [P in keyof T as undefined extends T[P] ? P : never]?: T[P];
      }
    : T;

/** The body of the answer. */
export type ResponseOf<S> = S extends { response: infer T }
  ? T extends z.ZodType
    ? z.output<T>
    : undefined
  : undefined;
