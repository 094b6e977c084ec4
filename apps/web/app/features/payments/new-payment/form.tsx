import type { Application } from '@muripo/contract/applications'
import type { CreatedPayment } from '@muripo/contract/dashboard-payments'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useErrorText, useRefusedFieldTexts } from '../../../api/api-error.ts'
import {
  createKeyring,
  createPayment,
  type NewPayment,
  type PaymentOptions,
} from '../../../api/new-payment.ts'
import { IconDeviceMobile } from '../../../components/icons.ts'
import { Button } from '../../../components/ui/button.tsx'
import { font, grid, row, stack } from '../../../components/ui/classes.ts'
import { DialogFoot } from '../../../components/ui/dialog.tsx'
import { SelectField, TextField } from '../../../components/ui/field.tsx'
import { Note } from '../../../components/ui/note.tsx'
import { Segment } from '../../../components/ui/segment.tsx'
import { useDashboardText } from '../../../lib/dashboard-text.ts'
import { usePaymentsText } from '../../../lib/payments-text.ts'
import { bodyOf, type Draft, draftErrors, keepText } from './draft.ts'
import styles from './sheet.module.css'
import { useNewPaymentText } from './text.ts'

interface FormProps {
  readonly applications: readonly Application[]
  readonly options: PaymentOptions
  readonly draft: Partial<Draft>
  readonly onDraft: (draft: Draft) => void
  readonly onCreated: (payment: CreatedPayment) => void
}

/** The fields of the server's refusals. */
const fieldNames = {
  amount: 'amount',
  currency: 'currency',
  purposeDescription: 'whatFor',
  customerPhoneNumber: 'phone',
  applicationId: 'applicationId',
} as const satisfies Readonly<Record<string, keyof Draft>>

type Errors = { readonly [Name in keyof Draft]?: string | undefined }

export function NewPaymentForm(props: FormProps) {
  const { applications, options } = props
  const t = useNewPaymentText()
  const dashboard = useDashboardText()
  const payments = usePaymentsText()
  const { draft, change, errors, failure, running, onSubmit } = useNewPayment(props)
  const field = (name: 'amount' | 'whatFor' | 'phone') => ({
    value: draft[name],
    error: errors[name],
    'data-field': name,
    autoComplete: 'off',
    onChange: (event: { currentTarget: HTMLInputElement }) => change({ [name]: event.currentTarget.value }),
  })
  const form = useRef<HTMLFormElement>(null)
  // The sheet is open before its data has arrived.
  useEffect(() => form.current?.querySelector<HTMLInputElement>('[data-field=amount]')?.focus(), [])
  const offered = options.currencies.find(({ currency }) => currency === draft.currency)
  return (
    <form ref={form} className={stack('grow')} noValidate onSubmit={onSubmit}>
      <div className={`${styles.fields} ${grid('gap24', 'grow')}`}>
        <p className={font('quiet')}>{t('newPaymentIntro')}</p>
        <div className={`${styles.price} ${grid('gap8')}`}>
          <Currencies
            options={options}
            chosen={draft.currency}
            onChoose={(currency) => change({ currency })}
          />
          <TextField
            {...field('amount')}
            className={styles.amount}
            label={dashboard('amount')}
            help={keepText(draft, offered, t)}
            isHelpKept
            inputMode="decimal"
            placeholder="0.00"
          />
        </div>
        <TextField
          {...field('whatFor')}
          label={t('whatFor')}
          help={t('whatForHint')}
          isHelpKept
          maxLength={500}
        />
        <TextField
          {...field('phone')}
          label={
            <>
              {t('customersPhone')} <span className={font('regular', 'quiet')}>{t('optionalField')}</span>
            </>
          }
          help={t('customersPhoneHint')}
          isHelpKept
          type="tel"
          maxLength={40}
          placeholder="077 123 4567"
          icon={IconDeviceMobile}
        />
        {applications.length > 1 && (
          <SelectField
            label={payments('paymentApplication')}
            choices={applications.map(({ _id, applicationName }) => ({ value: _id, label: applicationName }))}
            value={draft.applicationId}
            error={errors.applicationId}
            onChange={(event) => change({ applicationId: event.currentTarget.value })}
          />
        )}
        {failure !== null && (
          <div role="alert">
            <Note>{failure}</Note>
          </div>
        )}
      </div>
      <DialogFoot>
        <Button submit running={running} runningLabel={t('creatingPayment')}>
          {t('createPaymentButton')}
        </Button>
      </DialogFoot>
    </form>
  )
}

function useNewPayment({ applications, options, draft: typed, onDraft, onCreated }: FormProps) {
  const t = useNewPaymentText()
  const payments = usePaymentsText()
  const errorText = useErrorText()
  const refusedFields = useRefusedFieldTexts()
  const [keyed] = useState(createKeyring<NewPayment['body']>)
  const [errors, setErrors] = useState<Errors>({})
  const creation = useMutation({ mutationFn: createPayment, onSuccess: onCreated })
  const firstCurrency = options.currencies[0]?.currency ?? ''
  const [newest] = applications
  const known = applications.find(({ _id }) => _id === typed.applicationId) ?? newest
  const draft: Draft = {
    amount: '',
    currency: firstCurrency,
    whatFor: '',
    phone: '',
    ...typed,
    applicationId: known?._id ?? '',
  }

  const change = (part: Partial<Draft>) => {
    onDraft({ ...draft, ...part })
    const [name] = Object.keys(part)
    // Another currency may make the amount right.
    setErrors((before) => ({
      ...before,
      [name ?? '']: undefined,
      ...('currency' in part && { amount: undefined }),
    }))
  }
  const show = (found: Errors) => {
    setErrors(found)
    const [first] = Object.keys(found)
    document.querySelector<HTMLElement>(`[data-field="${first === 'currency' ? 'amount' : first}"]`)?.focus()
  }
  const refusedFor = (error: unknown): Errors =>
    Object.fromEntries(
      Object.entries(refusedFields(error)).map(([name, text]) => [
        fieldNames[name as keyof typeof fieldNames] ?? name,
        text,
      ]),
    )
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (creation.isPending) return
    const { amount, whatFor, phone } = draftErrors(draft)
    const found: Errors = {
      ...(amount && { amount: payments(amount) }),
      ...(whatFor && { whatFor: t('whatForMissing') }),
      ...(phone && { phone: t('customersPhoneInvalid') }),
    }
    if (Object.keys(found).length > 0) return show(found)
    creation.mutate(keyed(bodyOf(draft)), { onError: (error) => show(refusedFor(error)) })
  }
  const isBesideField = Object.values(errors).some((text) => text !== undefined)
  return {
    draft,
    change,
    // The currencies have no place of their own for an error.
    errors: { ...errors, amount: errors.amount ?? errors.currency },
    failure: creation.error === null || isBesideField ? null : errorText(creation.error),
    running: creation.isPending,
    onSubmit,
  }
}

interface CurrenciesProps {
  readonly options: PaymentOptions
  readonly chosen: string
  readonly onChoose: (currency: string) => void
}

function Currencies({ options, chosen, onChoose }: CurrenciesProps) {
  const t = useNewPaymentText()
  const name = useId()
  return (
    <fieldset className={`${styles.currencies} ${row()}`}>
      <legend className="visuallyHidden">{t('currency')}</legend>
      {options.currencies.map(({ currency }) => (
        <Segment
          key={currency}
          className={`${styles.currency} ${font('md', 'medium')}`}
          name={name}
          checked={currency === chosen}
          onChange={() => onChoose(currency)}
        >
          {currency}
        </Segment>
      ))}
    </fieldset>
  )
}
