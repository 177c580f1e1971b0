import { TERM_ANSWERS, TERM_STATES, VENDOR_TERMS, type VendorTermName } from '@healthd/contract';
import { z } from 'zod';
import { instantSchema } from '../envelope.js';
import { defineRoute } from '../route.js';
import { textField } from '../text.js';
import { providerSchema } from '../words.js';

const termValueSchema = z.union([z.string(), z.int()]);

const overrideSchema = z.object({
  value: termValueSchema.nullable().meta({ description: 'Null: the term does not apply here' }),
  reason: z.string().meta({ description: 'Why the operator deviates from the vendor’s term' }),
  changed_by: z.string().meta({ description: 'Email address of the developer' }),
  changed_at: instantSchema.meta({ description: 'When the override was made' }),
});

const answerField = z.enum(TERM_ANSWERS).meta({
  description: '`accepted`: the term acts from now on. `declined`: it never does',
});
const answerSchema = z.object({
  answer: answerField,
  answered_by: z.string().meta({ description: 'Email address of the developer' }),
  answered_at: instantSchema.meta({ description: 'When the question was answered' }),
});

export const vendorTermSchema = z
  .object({
    term: z.enum(VENDOR_TERMS).meta({ description: 'Name of the rule' }),
    value: termValueSchema
      .nullable()
      .meta({ description: 'Value in force: the override, else the vendor’s; null if neither' }),
    state: z.enum(TERM_STATES).meta({
      description:
        '`unknown`: the vendor’s term is not known. `allows`: nothing follows from it. `acts`: the service keeps it. `asks`: it would delete data or hide it from summaries and waits for the operator’s answer. `declined`: the operator declined it',
    }),
    declared: z
      .object({
        value: termValueSchema,
        basis: z.enum(['read', 'quoted', 'one']).meta({
          description: '`read` in the vendor’s own text, `quoted` by two public sources, or by `one`',
        }),
        source: z.string().meta({ description: 'Where the vendor states it' }),
      })
      .nullable()
      .meta({ description: 'What the vendor states; null if it is not known' }),
    override: overrideSchema.nullable().meta({ description: 'How the operator deviates; null: not at all' }),
    answer: answerSchema.nullable().meta({ description: 'The operator’s answer for the value in force' }),
    rows: z
      .int()
      .nullable()
      .meta({ description: 'Rows that the term concerns now, while it asks or acts by deleting or hiding; else null' }),
  })
  .meta({ id: 'VendorTerm' });
export type VendorTermResponse = z.infer<typeof vendorTermSchema>;

export const providerTermsSchema = z
  .object({
    provider: z.string(),
    name: z.string(),
    terms: z.array(vendorTermSchema).meta({ description: 'All terms, known or not' }),
  })
  .meta({ id: 'ProviderTerms' });
export type ProviderTermsResponse = z.infer<typeof providerTermsSchema>;

/** A required text: an override without a reason would not be understood later. */
const reasonField = textField(500)
  .min(1)
  .meta({ description: 'Why the operator deviates from the vendor’s term; the audit trail keeps it' });

const overrideOf = <Value extends z.ZodType>(value: Value) =>
  z.strictObject({
    value: value.nullable().meta({ description: 'Null: the term does not apply here' }),
    reason: reasonField,
  });
const answered = z.strictObject({ answer: answerField });
const removable = <Change extends z.ZodType>(change: Change) =>
  change.nullable().optional().meta({ description: 'Null removes the override; left out: stays as it is' });

const permission = overrideOf(z.enum(['allow', 'deny']));

export const listProviderTerms = defineRoute({
  id: 'listProviderTerms',
  method: 'GET',
  path: '/api/v1/providers/terms',
  tag: 'Providers',
  summary: 'What the terms of vendors oblige the operator to',
  description:
    'Each term with its source, the operator\u2019s override and answer, and whether the service acts on it. A term that deletes data or hides it from summaries has the state `asks` until the operator answers; `rows` counts what it concerns.',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { exempt: 'settings of the service, no data of a person' },
  status: 200,
  response: z.object({ items: z.array(providerTermsSchema) }),
});

export const updateProviderSettings = defineRoute({
  id: 'updateProviderSettings',
  method: 'PATCH',
  path: '/api/v1/providers/{provider}/settings',
  tag: 'Providers',
  summary: 'Override a vendor\u2019s terms, or answer the questions of those that delete or hide data',
  description:
    'Terms that are left out stay. An override needs a reason; the audit trail keeps it. An answer holds for the value that the term has now: if the value changes later, the service asks again. Accepting `cache_days` or `on_disconnect` starts the deletion of the rows that it concerns.',
  auth: 'developer',
  audit: { resource: 'provider_setting', action: 'update' },
  status: 200,
  errors: [400],
  params: z.object({ provider: providerSchema }),
  body: z.object({
    terms: z
      .strictObject({
        assistants: removable(permission),
        combine: removable(z.union([permission, answered])),
        cache_days: removable(z.union([overrideOf(z.int().min(1).max(3650)), answered])).meta({
          description: 'Days that the data may be stored. Null removes the override; left out: stays as it is',
        }),
        on_disconnect: removable(z.union([overrideOf(z.enum(['keep', 'delete'])), answered])),
        archive: removable(permission),
        attribution: removable(overrideOf(textField(200).min(1))),
        research: removable(overrideOf(textField(200).min(1))),
      } satisfies Record<VendorTermName, z.ZodType>)
      .meta({ description: 'The terms to change, by name' }),
  }),
  response: providerTermsSchema,
});
