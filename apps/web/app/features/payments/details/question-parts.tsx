import { TextInput } from '@mantine/core'
import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { BusyButton, SubmitButton } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { useCommonText } from '../../../lib/common-text.ts'
import { useDashboardText } from '../../../lib/dashboard-text.ts'
import { usePaymentsText } from '../text.ts'
import { type Allowed, type AmountError, readAmount } from './amount-input.ts'
import styles from './details.module.css'

/** The request that confirms a question about a payment. */
export interface QuestionRequest {
  readonly running: boolean
  readonly error: string | null
  /** The reason of a refusal, and its remedy. */
  readonly refusal: string | null
  readonly onClose: () => void
}

interface QuestionModalProps extends Pick<QuestionRequest, 'running' | 'onClose'> {
  readonly opened: boolean
  readonly title: string
  readonly children: ReactNode
}

/** A dialog that stays open while its request runs. */
export const QuestionModal = ({ opened, title, running, onClose, children }: QuestionModalProps) => (
  <Dialog
    opened={opened}
    onClose={() => running || onClose()}
    title={title}
    size={440}
    withCloseButton={!running}
    closeOnEscape={!running}
    closeOnClickOutside={!running}
  >
    {children}
  </Dialog>
)

/** The reading of a typed amount. Its error is shown after a confirmation, and earlier when no further input can make the amount valid. */
export function useTypedAmount(text: string, currency: string, allowed: Allowed) {
  const [pressed, setPressed] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const reading = readAmount(text, currency, allowed)
  const isShown = reading.error !== null && (pressed || !reading.early)
  const error: AmountError | null = isShown ? reading.error : null
  return {
    amount: reading.amount,
    error,
    field,
    onType: () => setPressed(false),
    onRefuse: () => {
      setPressed(true)
      field.current?.focus()
    },
  }
}

interface AmountFieldProps {
  readonly field: RefObject<HTMLInputElement | null>
  readonly text: string
  /** The largest amount, with its currency. */
  readonly atMost: string
  readonly error: string | null
  readonly running: boolean
  readonly onChange: (text: string) => void
}

export function AmountField({ field, text, atMost, error, running, onChange }: AmountFieldProps) {
  const t = usePaymentsText()
  const dashboard = useDashboardText()
  return (
    <TextInput
      ref={field}
      mt={16}
      label={dashboard('amount')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      // The error replaces the hint, so that the layout does not move.
      description={error ? undefined : t('amountAtMost', { amount: atMost })}
      inputMode="decimal"
      autoComplete="off"
      readOnly={running}
      value={text}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
    />
  )
}

interface AnswersProps extends QuestionRequest {
  readonly isDanger?: boolean
  readonly runningLabel: string
  readonly children: string
}

/** The problems of the last request, and the two buttons. */
export function Answers({
  running,
  error,
  refusal,
  onClose,
  isDanger,
  runningLabel,
  children,
}: AnswersProps) {
  const common = useCommonText()
  return (
    <>
      {error && (
        <p className={styles.bad} role="alert">
          {error}
        </p>
      )}
      {refusal && (
        <p className={styles.underWay} role="status">
          {refusal}
        </p>
      )}
      <div className={styles.answers}>
        <BusyButton variant="default" running={running} onClick={onClose}>
          {common('cancel')}
        </BusyButton>
        <SubmitButton {...(isDanger && { color: 'danger' })} running={running} runningLabel={runningLabel}>
          {children}
        </SubmitButton>
      </div>
    </>
  )
}
