import type { VendorTermName } from '@healthd/contract';
import type { ProviderTermsResponse, VendorTermResponse } from '@healthd/schemas';
import { useForm } from 'react-hook-form';
import { Dialog } from '../../components/dialog.js';
import { DialogForm } from '../../components/form/dialog-form.js';
import { FormField } from '../../components/form/form-field.js';
import { TRIMMED } from '../../components/form/rules.js';
import { type TermsChange, useChangeTerms } from '../../hooks/use-vendor-terms.js';
import { deletesData, TERM_CHOICES, TERM_NAMES } from './term-texts.js';

interface OverrideTermDialogProps {
  of: ProviderTermsResponse;
  term: VendorTermResponse;
  onClose: () => void;
}

const MAX_REASON = 500;
const MAX_TEXT = 200;
const MAX_DAYS = 3650;

/** Overrides a vendor's term, with a reason. */
export function OverrideTermDialog({ of: { provider, name }, term, onClose }: OverrideTermDialogProps) {
  const { term: code, value, override } = term;
  const choices = choicesOf(code);
  const first = choices?.[0]?.[0] ?? '';
  const form = useForm({ defaultValues: { value: String(value ?? first), reason: override?.reason ?? '' } });
  const change = useChangeTerms(provider);
  const submit = async (entered: { value: string; reason: string }) => {
    await change.mutateAsync(changeOf(code, entered));
    onClose();
  };
  return (
    <Dialog title={`${TERM_NAMES[code]}: override the term of ${name}`} onClose={onClose}>
      <DialogForm form={form} onSubmit={submit} error={change.error} action="Override term" onClose={onClose}>
        <FormField
          form={form}
          name="value"
          label={LABELS[code] ?? 'Rule here'}
          hint={hintOf(code)}
          rules={ruleOf(code)}
        >
          {(control) =>
            choices ? (
              <select {...control}>
                {choices.map(([choice, words]) => (
                  <option key={choice} value={choice}>
                    {words}
                  </option>
                ))}
              </select>
            ) : (
              <input {...control} inputMode={code === 'cache_days' ? 'numeric' : undefined} autoComplete="off" />
            )
          }
        </FormField>
        <FormField
          form={form}
          name="reason"
          label="Reason"
          hint="For example, a contract with the vendor. The audit trail records it."
          rules={{
            ...TRIMMED,
            required: 'Enter a reason.',
            maxLength: { value: MAX_REASON, message: `Enter at most ${MAX_REASON} characters.` },
          }}
        >
          {(control) => <input {...control} autoComplete="off" />}
        </FormField>
      </DialogForm>
    </Dialog>
  );
}

const LABELS: { readonly [Name in VendorTermName]?: string } = {
  cache_days: 'Rule here: days that data is stored',
  attribution: 'Rule here: text next to the data',
  research: 'Rule here: condition for research',
};

function choicesOf(code: VendorTermName): [value: string, words: string][] | undefined {
  return code in TERM_CHOICES ? Object.entries(TERM_CHOICES[code as keyof typeof TERM_CHOICES]) : undefined;
}

function hintOf(code: VendorTermName): string | undefined {
  if (code === 'cache_days') return 'Leave it empty for no limit. The service asks again before it deletes anything.';
  if (code === 'attribution' || code === 'research') return 'Leave it empty if the term does not apply here.';
  if (deletesData(code)) return 'The service asks again before it deletes anything.';
  return code === 'combine' ? 'The service asks again before it withholds anything.' : undefined;
}

function ruleOf(code: VendorTermName) {
  if (code === 'cache_days') {
    const isDays = (text: string) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_DAYS;
    const message = `Enter a whole number from 1 to ${MAX_DAYS}.`;
    return { ...TRIMMED, validate: (text: string) => text === '' || isDays(text) || message };
  }
  return { ...TRIMMED, maxLength: { value: MAX_TEXT, message: `Enter at most ${MAX_TEXT} characters.` } };
}

/** Converts the entered override to an API value. */
function changeOf(code: VendorTermName, { value, reason }: { value: string; reason: string }): TermsChange {
  if (value === '') return { [code]: { value: null, reason } };
  return { [code]: { value: code === 'cache_days' ? Number(value) : value, reason } };
}
