import type { ProviderTermsResponse, VendorTermResponse } from '@healthd/schemas';
import { useForm, useWatch } from 'react-hook-form';
import { Dialog } from '../../components/dialog.js';
import { DialogForm } from '../../components/form/dialog-form.js';
import { FormField } from '../../components/form/form-field.js';
import { TRIMMED } from '../../components/form/rules.js';
import { useChangeTerms } from '../../hooks/use-vendor-terms.js';
import { deletesData, effectText, rowsText, TERM_NAMES } from './term-texts.js';

interface AcceptTermDialogProps {
  of: ProviderTermsResponse;
  term: VendorTermResponse;
  onClose: () => void;
}

/** Shows the effect of a term before it is accepted. Terms that delete data require typing the provider's name. */
export function AcceptTermDialog({ of: { provider, name }, term, onClose }: AcceptTermDialogProps) {
  const deletes = deletesData(term.term);
  const form = useForm({ defaultValues: { name: '' } });
  const typed = useWatch({ control: form.control, name: 'name' });
  const change = useChangeTerms(provider);
  const submit = async () => {
    await change.mutateAsync({ [term.term]: { answer: 'accepted' } });
    onClose();
  };
  return (
    <Dialog title={`${TERM_NAMES[term.term]}: accept the term of ${name}?`} onClose={onClose}>
      <DialogForm
        form={form}
        onSubmit={submit}
        error={change.error}
        action={deletes ? 'Accept and delete' : 'Accept'}
        danger={deletes}
        disabled={deletes && typed !== name}
        onClose={onClose}
      >
        <p>
          {effectText({ ...term, state: 'acts' })}: <b>{rowsText(term.rows)}</b> now, and all future data.
        </p>
        {deletes ? (
          <>
            <p>
              Only data from the vendor’s cloud is deleted. Data from phones and imported files is retained. Deleted
              data cannot be restored.
            </p>
            <FormField
              form={form}
              name="name"
              label={
                <span>
                  Type <b>{name}</b> to confirm
                </span>
              }
              rules={TRIMMED}
            >
              {(control) => <input {...control} autoComplete="off" spellCheck={false} />}
            </FormField>
          </>
        ) : (
          <p>The data stays stored and remains visible in lists. You can decline later.</p>
        )}
      </DialogForm>
    </Dialog>
  );
}
