import { Modal, TextInput } from '@mantine/core'
import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { type FormEvent, useRef, useState } from 'react'
import type { RefundRequest } from '../../../api/payments.ts'
import { BusyButton, SubmitButton } from '../../../components/button.tsx'
import { amountText, revenueText } from '../../../lib/format.ts'
import styles from './details.module.css'
import { confirmText, type Refundable, readAmount, typedAmount, underWayText, wholeRest } from './refund.ts'

interface QuestionProps {
  readonly payment: DashboardPayment
  readonly rest: Refundable
  readonly running: boolean
  readonly error: string | null
  /** The reason of a refusal, and its remedy. */
  readonly refusal: string | null
  readonly onConfirm: (request: RefundRequest) => void
  readonly onClose: () => void
}

export const ConfirmRefund = ({ opened, ...question }: QuestionProps & { readonly opened: boolean }) => (
  <Modal
    opened={opened}
    onClose={() => question.running || question.onClose()}
    title="Confirm Refund"
    size={440}
    withCloseButton={!question.running}
    closeOnEscape={!question.running}
    closeOnClickOutside={!question.running}
  >
    <Question {...question} />
  </Modal>
)

function Question({ payment, rest, running, error, refusal, onConfirm, onClose }: QuestionProps) {
  const { currency, paymentId } = payment
  /** Null until the user types: the field then shows the remaining amount, also when that changes. */
  const [typed, setTyped] = useState<string | null>(null)
  const [pressed, setPressed] = useState(false)
  /** The payment at the time of the first request: if only the response was lost, a repeated request must not refund a part twice. */
  const [submitted, setSubmitted] = useState<DashboardPayment | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const whole = wholeRest(rest)
  const text = typed ?? typedAmount(whole)
  const reading = readAmount(text, currency, rest)
  const isShown = reading.error !== null && (pressed || !reading.early)

  function confirm(event: FormEvent) {
    event.preventDefault()
    if (running) return
    if (reading.amount !== null) {
      // The requested amount stays in the field, so that a repetition is the same request.
      setTyped(text)
      setSubmitted(submitted ?? payment)
      return onConfirm({ payment: submitted ?? payment, amount: reading.amount })
    }
    setPressed(true)
    field.current?.focus()
  }
  return (
    <form noValidate onSubmit={confirm}>
      <p className={styles.question}>Are you sure?</p>
      <p className={styles.consequence}>
        {`This will refund ${reading.amount === null ? '…' : amountText(currency, reading.amount)} for payment ${paymentId}. This action cannot be undone.`}
      </p>
      <TextInput
        ref={field}
        mt={16}
        label="Amount"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        // The error replaces the hint, so that the layout does not move.
        description={isShown ? undefined : `At most ${revenueText(currency, whole)}`}
        inputMode="decimal"
        autoComplete="off"
        readOnly={running}
        value={text}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => {
          setPressed(false)
          setTyped(event.currentTarget.value)
        }}
        error={isShown && reading.error}
      />
      {rest.underWay.length > 0 && <p className={styles.underWay}>{underWayText(rest.underWay, currency)}</p>}
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
          Cancel
        </BusyButton>
        <SubmitButton color="danger" running={running} runningLabel="Refunding...">
          {confirmText(reading.amount, payment)}
        </SubmitButton>
      </div>
    </form>
  )
}
