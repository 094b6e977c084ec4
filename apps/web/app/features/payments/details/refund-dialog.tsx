import { Modal, TextInput } from '@mantine/core'
import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { type FormEvent, useRef, useState } from 'react'
import type { RefundRequest } from '../../../api/payments.ts'
import { BusyButton, SubmitButton } from '../../../components/button.tsx'
import { useCommonText } from '../../../lib/common-text.ts'
import { useDashboardText } from '../../../lib/dashboard-text.ts'
import { amountText } from '../../../lib/format.ts'
import { usePaymentsText } from '../text.ts'
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

export function ConfirmRefund({ opened, ...question }: QuestionProps & { readonly opened: boolean }) {
  const t = usePaymentsText()
  return (
    <Modal
      opened={opened}
      onClose={() => question.running || question.onClose()}
      title={t('confirmRefund')}
      size={440}
      withCloseButton={!question.running}
      closeOnEscape={!question.running}
      closeOnClickOutside={!question.running}
    >
      <Question {...question} />
    </Modal>
  )
}

function Question({ payment, rest, running, error, refusal, onConfirm, onClose }: QuestionProps) {
  const { currency, paymentId } = payment
  const t = usePaymentsText()
  const common = useCommonText()
  const dashboard = useDashboardText()
  /** Null until the user types: the field then shows the remaining amount, also when that changes. */
  const [typed, setTyped] = useState<string | null>(null)
  const [pressed, setPressed] = useState(false)
  /** The payment at the time of the first request: if only the response was lost, a repeated request must not refund a part twice. */
  const [submitted, setSubmitted] = useState<DashboardPayment | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const whole = wholeRest(rest)
  const atMost = amountText(currency, whole)
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
      <p className={styles.question}>{t('areYouSure')}</p>
      <p className={styles.consequence}>
        {t('refundConsequence', {
          amount: reading.amount === null ? '…' : amountText(currency, reading.amount),
          payment: paymentId,
        })}
      </p>
      <TextInput
        ref={field}
        mt={16}
        label={dashboard('amount')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        // The error replaces the hint, so that the layout does not move.
        description={isShown ? undefined : t('amountAtMost', { amount: atMost })}
        inputMode="decimal"
        autoComplete="off"
        readOnly={running}
        value={text}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => {
          setPressed(false)
          setTyped(event.currentTarget.value)
        }}
        error={isShown && t(reading.error, { amount: atMost })}
      />
      {rest.underWay.length > 0 && (
        <p className={styles.underWay}>{underWayText(rest.underWay, currency, t)}</p>
      )}
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
        <SubmitButton color="danger" running={running} runningLabel={t('refunding')}>
          {confirmText(reading.amount, payment, t)}
        </SubmitButton>
      </div>
    </form>
  )
}
