import { Modal, TextInput } from '@mantine/core'
import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { BusyButton, SubmitButton } from '../../../components/button.tsx'
import { useCommonText } from '../../../lib/common-text.ts'
import { useDashboardText } from '../../../lib/dashboard-text.ts'
import { amountText } from '../../../lib/format.ts'
import { usePaymentsText } from '../text.ts'
import { restText } from './capture.ts'
import styles from './details.module.css'
import { readAmount, typedAmount } from './refund.ts'

interface QuestionProps {
  readonly payment: DashboardPayment
  readonly running: boolean
  readonly error: string | null
  /** The reason of a refusal, and its remedy. */
  readonly refusal: string | null
  /** The server's error of the amount. */
  readonly fieldError: string | null
  /** The amount is typed anew: errors of the last request no longer apply. */
  readonly onRetype: () => void
  /** The amount of a capture; null for a void. */
  readonly onConfirm: (amount: number | null) => void
  readonly onClose: () => void
}

interface DialogProps extends QuestionProps {
  readonly opened: boolean
}

/** Asks how much of an authorised payment is captured; at first all of it. */
export function CaptureDialog({ opened, ...question }: DialogProps) {
  const t = usePaymentsText()
  return (
    <Frame opened={opened} title={t('confirmCapture')} {...question}>
      <CaptureForm {...question} />
    </Frame>
  )
}

/** Asks whether an authorised payment is voided. */
export function VoidDialog({ opened, ...question }: DialogProps) {
  const t = usePaymentsText()
  return (
    <Frame opened={opened} title={t('confirmVoid')} {...question}>
      <VoidForm {...question} />
    </Frame>
  )
}

interface FrameProps extends Pick<DialogProps, 'opened' | 'running' | 'onClose'> {
  readonly title: string
  readonly children: ReactNode
}

const Frame = ({ opened, title, running, onClose, children }: FrameProps) => (
  <Modal
    opened={opened}
    onClose={() => running || onClose()}
    title={title}
    size={440}
    withCloseButton={!running}
    closeOnEscape={!running}
    closeOnClickOutside={!running}
  >
    {children}
  </Modal>
)

function CaptureForm({ payment, fieldError, onRetype, onConfirm, ...question }: QuestionProps) {
  const t = usePaymentsText()
  const dashboard = useDashboardText()
  const { currency, paymentId } = payment
  const [text, setText] = useState(() => typedAmount(payment.amount))
  const [pressed, setPressed] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const atMost = amountText(currency, payment.amount)
  const reading = readAmount(text, currency, { left: payment.amount, underWay: [] })
  const isShown = reading.error !== null && (pressed || !reading.early)
  const problem = reading.error === 'amountTooHigh' ? 'captureTooHigh' : reading.error
  const error = isShown && problem ? t(problem, { amount: atMost }) : fieldError
  const rest = restText(reading.amount, payment, t)

  function confirm(event: FormEvent) {
    event.preventDefault()
    if (question.running) return
    if (reading.amount !== null) return onConfirm(reading.amount)
    setPressed(true)
    field.current?.focus()
  }
  return (
    <form noValidate onSubmit={confirm}>
      <p className={styles.consequence}>
        {t('captureConsequence', {
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
        description={error ? undefined : t('amountAtMost', { amount: atMost })}
        inputMode="decimal"
        autoComplete="off"
        readOnly={question.running}
        value={text}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => {
          setPressed(false)
          setText(event.currentTarget.value)
          onRetype()
        }}
        error={error}
      />
      {rest && <p className={styles.underWay}>{rest}</p>}
      <Answers {...question} runningLabel={t('capturing')}>
        {reading.amount === null
          ? t('capture')
          : t('captureAmount', { amount: amountText(currency, reading.amount) })}
      </Answers>
    </form>
  )
}

function VoidForm({ payment, onConfirm, ...question }: QuestionProps) {
  const t = usePaymentsText()
  const amount = amountText(payment.currency, payment.amount)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!question.running) onConfirm(null)
      }}
    >
      <p className={styles.question}>{t('areYouSure')}</p>
      <p className={styles.consequence}>{t('voidConsequence', { payment: payment.paymentId, amount })}</p>
      <Answers {...question} isDanger runningLabel={t('voiding')}>
        {t('voidConfirm')}
      </Answers>
    </form>
  )
}

interface AnswersProps extends Pick<QuestionProps, 'running' | 'error' | 'refusal' | 'onClose'> {
  readonly isDanger?: boolean
  readonly runningLabel: string
  readonly children: string
}

/** The problems of the last request, and the two buttons. */
function Answers({ running, error, refusal, onClose, isDanger, runningLabel, children }: AnswersProps) {
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
