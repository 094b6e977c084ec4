import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { font, notice, place } from '../../../components/ui/classes.ts'
import { FormFoot, PlacedDialog } from '../../../components/ui/dialog.tsx'
import { TextField, type TextFieldProps } from '../../../components/ui/field.tsx'
import { useDashboardText } from '../../../lib/dashboard-text.ts'
import { amountText } from '../../../lib/format.ts'
import { usePaymentsText } from '../../../lib/payments-text.ts'
import { type Allowed, readAmount } from './amount-input.ts'

/** The request that confirms a question about a payment. */
export interface QuestionRequest {
  readonly running: boolean
  readonly error: string | null
  /** The reason of a refusal, and its remedy. */
  readonly refusal: string | null
  readonly onClose: () => void
}

interface QuestionDialogProps extends Pick<QuestionRequest, 'running' | 'onClose'> {
  readonly opened: boolean
  readonly title: string
  readonly children: ReactNode
}

export const QuestionDialog = ({ opened, title, running, onClose, children }: QuestionDialogProps) => (
  <PlacedDialog
    opened={opened}
    onClose={onClose}
    title={title}
    place="small"
    {...(running && { closeLabel: null })}
    running={running}
  >
    {children}
  </PlacedDialog>
)

interface AmountFormOptions {
  readonly text: string
  readonly currency: string
  readonly allowed: Allowed
  readonly running: boolean
  readonly onType: (text: string) => void
  readonly onConfirm: (amount: number) => void
}

/** A form with an amount. Its error is shown after a confirmation, and earlier when no further input can make the amount valid. */
export function useAmountForm({ text, currency, allowed, running, onType, onConfirm }: AmountFormOptions) {
  const [isSubmitted, setIsSubmitted] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const reading = readAmount(text, currency, allowed)
  const { amount } = reading
  return {
    amount,
    /** The amount within a sentence. */
    shownAmount: amount === null ? '…' : amountText(currency, amount),
    error: reading.error !== null && (isSubmitted || !reading.early) ? reading.error : null,
    form: {
      noValidate: true,
      onSubmit(event: FormEvent) {
        event.preventDefault()
        if (running) return
        if (amount !== null) return onConfirm(amount)
        setIsSubmitted(true)
        input.current?.focus()
      },
    },
    field: {
      ref: input,
      value: text,
      readOnly: running,
      onChange(next: string) {
        setIsSubmitted(false)
        onType(next)
      },
    },
  }
}

interface AmountFieldProps extends Omit<TextFieldProps, 'label' | 'onChange' | 'error'> {
  /** The largest amount, with its currency. */
  readonly atMost: string
  readonly error: string | null
  readonly onChange: (text: string) => void
}

export function AmountField({ atMost, error, onChange, ...input }: AmountFieldProps) {
  const t = usePaymentsText()
  const dashboard = useDashboardText()
  return (
    <TextField
      label={dashboard('amount')}
      help={t('amountAtMost', { amount: atMost })}
      className={place('above12')}
      inputMode="decimal"
      autoComplete="off"
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      {...input}
    />
  )
}

interface QuestionActionsProps extends QuestionRequest {
  readonly isDanger?: boolean
  readonly runningLabel: string
  readonly children: string
}

/** The problems of the last request, and the two buttons. */
export function QuestionActions({
  running,
  error,
  refusal,
  onClose,
  isDanger,
  runningLabel,
  children,
}: QuestionActionsProps) {
  return (
    <>
      {error && (
        <p className={notice('failure', 'above16')} role="alert">
          {error}
        </p>
      )}
      {refusal && (
        <p className={font('sm', 'quiet', 'above12')} role="status">
          {refusal}
        </p>
      )}
      <FormFoot running={running} runningLabel={runningLabel} danger={isDanger} onCancel={onClose}>
        {children}
      </FormFoot>
    </>
  )
}
