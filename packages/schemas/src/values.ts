import type { z } from 'zod';

/** Parsed value of a request part as a handler receives it; undefined if the route does not declare the part. */
export type Parsed<S, K extends 'params' | 'query' | 'body'> =
  S extends Record<K, infer T> ? (T extends z.ZodType ? z.output<T> : undefined) : undefined;

/**
 * Value of a request part as a caller passes it. Members that may be undefined are optional. Paths and queries are text, so
 * numbers and booleans are accepted too.
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

/** Response body. */
export type ResponseOf<S> = S extends { response: infer T }
  ? T extends z.ZodType
    ? z.output<T>
    : undefined
  : undefined;
