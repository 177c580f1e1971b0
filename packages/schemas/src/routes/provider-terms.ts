import { TERM_ANSWERS, TERM_STATES, VENDOR_TERMS, type VendorTermName } from '@healthd/contract';
import { z } from 'zod';
import { instantSchema } from '../envelope.js';
import { defineRoute } from '../route.js';
import { textField } from '../text.js';
import { providerSchema } from '../words.js';

const termValueSchema = z.union([z.string(), z.int()]);

const overrideSchema = z.object({
  value: termValueSchema.nullable().meta({ description: 'Null means that the term does not apply here' }),
  reason: z.string().meta({ description: 'Reason for the override' }),
  changed_by: z.string().meta({ description: 'Email address of the developer' }),
  changed_at: instantSchema.meta({ description: 'Time of the override' }),
});

const answerField = z.enum(TERM_ANSWERS).meta({
  description: '`accepted`: the term is enforced from now on. `declined`: it is never enforced',
});
const answerSchema = z.object({
  answer: answerField,
  answered_by: z.string().meta({ description: 'Email address of the developer' }),
  answered_at: instantSchema.meta({ description: 'Time of the answer' }),
});

export const vendorTermSchema = z
  .object({
    term: z.enum(VENDOR_TERMS).meta({ description: 'Name of the term' }),
    value: termValueSchema
      .nullable()
      .meta({ description: 'Effective value: the override, or the vendor’s value; null if neither exists' }),
    state: z.enum(TERM_STATES).meta({
      description:
        '`unknown`: the vendor’s term is unknown. `allows`: the term requires no action. `acts`: the service enforces it. `asks`: it would delete data or hide it from summaries, so it waits for the operator’s answer. `declined`: the operator declined it',
    }),
    declared: z
      .object({
        value: termValueSchema,
        basis: z.enum(['read', 'quoted', 'one']).meta({
          description: 'Origin: `read` in the vendor’s own text, `quoted` by two public sources, or by `one`',
        }),
        source: z.string().meta({ description: 'Where the vendor states the term' }),
      })
      .nullable()
      .meta({ description: 'The vendor’s value; null if unknown' }),
    override: overrideSchema.nullable().meta({ description: 'The operator’s override; null if there is none' }),
    answer: answerSchema.nullable().meta({ description: 'The operator’s answer to the effective value' }),
    rows: z.int().nullable().meta({
      description:
        'Number of rows that the term affects now; null unless its state is `asks` or it deletes or hides data',
    }),
  })
  .meta({ id: 'VendorTerm' });
export type VendorTermResponse = z.infer<typeof vendorTermSchema>;

export const providerTermsSchema = z
  .object({
    provider: z.string(),
    name: z.string(),
    terms: z.array(vendorTermSchema).meta({ description: 'All terms, including terms with the state `unknown`' }),
  })
  .meta({ id: 'ProviderTerms' });
export type ProviderTermsResponse = z.infer<typeof providerTermsSchema>;

/** Required, so that the audit trail explains each override. */
const reasonField = textField(500).min(1).meta({ description: 'Reason for the override; stored in the audit trail' });

const overrideOf = <Value extends z.ZodType>(value: Value) =>
  z.strictObject({
    value: value.nullable().meta({ description: 'Null means that the term does not apply here' }),
    reason: reasonField,
  });
const answered = z.strictObject({ answer: answerField });
const removable = <Change extends z.ZodType>(change: Change) =>
  change.nullable().optional().meta({ description: 'Null removes the override; omit to leave unchanged' });

const permission = overrideOf(z.enum(['allow', 'deny']));

export const listProviderTerms = defineRoute({
  id: 'listProviderTerms',
  method: 'GET',
  path: '/api/v1/providers/terms',
  tag: 'Providers',
  summary: 'List vendor terms',
  description:
    'Returns each term with its source, the operator’s override and answer, and whether the service enforces it. A term that deletes data or hides it from summaries stays in the state `asks` until the operator answers; `rows` is the number of affected rows.',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { exempt: 'settings of the service, no user data' },
  status: 200,
  response: z.object({ items: z.array(providerTermsSchema) }),
});

export const updateProviderSettings = defineRoute({
  id: 'updateProviderSettings',
  method: 'PATCH',
  path: '/api/v1/providers/{provider}/settings',
  tag: 'Providers',
  summary: 'Override or accept a vendor’s terms',
  description:
    'Omitted terms do not change. An override requires a reason, which the audit trail stores. An answer applies to the term’s current value; if the value changes, the service asks again. Accepting `cache_days` or `on_disconnect` starts deleting the affected rows.',
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
          description: 'Maximum number of days to store the data. Null removes the override; omit to leave unchanged',
        }),
        on_disconnect: removable(z.union([overrideOf(z.enum(['keep', 'delete'])), answered])),
        archive: removable(permission),
        attribution: removable(overrideOf(textField(200).min(1))),
        research: removable(overrideOf(textField(200).min(1))),
      } satisfies Record<VendorTermName, z.ZodType>)
      .meta({ description: 'Changes by term' }),
  }),
  response: providerTermsSchema,
});
