import type { Reviews } from '@muripo/contract/console-reviews'
import type { ReactNode } from 'react'
import { font, grid } from '../../../components/ui/classes.ts'
import { Panel } from '../../../components/ui/panel.tsx'
import { useConsoleDates } from '../dates.ts'
import { useDecider } from '../decisions/kinds.ts'
import { bodyClass } from '../panel-parts.tsx'
import { useSays } from '../says.ts'
import { type ConsoleText, priceText, useConsoleText } from '../text.ts'
import { type Answer, ResolveForm } from './resolve-form.tsx'

type Attempt = Reviews['attempts'][number]
type Refund = Reviews['refunds'][number]
type Anomaly = Reviews['anomalies'][number]

interface CaseProps extends Omit<Parameters<typeof ResolveForm>[0], 'question'> {
  readonly title: string
  /** The evidence. */
  readonly children: ReactNode
}

/** A case that a person decides: the evidence, and the form for those who decide such cases. */
function Case({ title, children, ...form }: CaseProps) {
  const t = useConsoleText()
  const { decides } = useDecider()
  return (
    <Panel title={title} busy={false}>
      <div className={`${bodyClass} ${grid('gap16')}`}>
        <div className={`${font('sm', 'quiet', 'pretty', 'anywhere')} ${grid('gap4')}`}>{children}</div>
        {decides(form.kind) ? (
          <ResolveForm {...form} question={title} />
        ) : (
          <p className={font('md', 'quiet')}>{t('notDecider')}</p>
        )}
      </div>
    </Panel>
  )
}

const anotherAmount = (t: ConsoleText): NonNullable<Answer['amount']> => ({
  label: t('amountMoved'),
  help: t('amountMovedHelp'),
  isOptional: true,
})

/** An attempt without a known outcome: the operator says whether it was paid. */
export function ResolveAttempt({ attempt }: { readonly attempt: Attempt }) {
  const t = useConsoleText()
  const dates = useConsoleDates()
  const says = useSays()
  const { paymentId, attemptId, currency, amount, since, heldBecause } = attempt
  return (
    <Case
      title={t('resolveQuestion')}
      kind="attempt.resolve"
      body={{ subject: paymentId, attempt: attemptId }}
      currency={currency}
      price={priceText(currency, amount)}
      answers={[
        {
          value: 'completed',
          label: t('resolvePaid'),
          help: t('resolvePaidHelp'),
          reference: attempt.providerReference ?? '',
          amount: anotherAmount(t),
        },
        {
          value: 'failed',
          label: t('resolveNotPaid'),
          help: t('resolveNotPaidHelp'),
          amount: anotherAmount(t),
        },
      ]}
    >
      <p>{t('paymentInReview', { time: dates.when(since), says: says(attempt) })}</p>
      {heldBecause !== null && <p>{t('paymentHeldBecause', { reason: heldBecause })}</p>}
    </Case>
  )
}

/** A refund that a person sends, or whose outcome a person finds out. The refund of a second charge is the payer's, and cannot fail. */
export function ResolveRefund({ refund }: { readonly refund: Refund }) {
  const t = useConsoleText()
  const dates = useConsoleDates()
  const says = useSays()
  const { refundId, currency, amount, since, origin, isReturned } = refund
  const price = priceText(currency, amount)
  return (
    <Case
      title={t('resolveRefundQuestion')}
      kind="refund.resolve"
      body={{ subject: refundId }}
      currency={currency}
      price={price}
      answers={[
        {
          value: 'completed',
          label: t('resolveSent'),
          help: t('resolveSentHelp'),
          reference: '',
          amount: anotherAmount(t),
          hasAlthough: isReturned,
        },
        origin === 'duplicate'
          ? { value: 'unclaimed', label: t('resolveUnclaimed'), help: t('resolveUnclaimedHelp') }
          : {
              value: 'failed',
              label: t('resolveNotSent'),
              help: t('resolveNotSentHelp'),
              amount: anotherAmount(t),
            },
      ]}
    >
      <p>{t('paymentRefundWaits', { price, time: dates.when(since), says: says(refund) })}</p>
      {isReturned && <p>{t('paymentReturned')}</p>}
    </Case>
  )
}

/** A contradiction between a provider and the records, with the outcomes that fit it. */
export function Contradiction({ anomaly }: { readonly anomaly: Anomaly }) {
  const t = useConsoleText()
  const dates = useConsoleDates()
  const says = useSays()
  const { paymentId, anomalyId, refundId, kind, currency, amount, since, report, refusedRefunds } = anomaly
  const suggestion = amount?.toFixed(2) ?? ''
  const answers: Readonly<Record<Anomaly['outcomes'][number], Omit<Answer, 'value'>>> = {
    completed: {
      label: t(refundId === null ? 'resolvePaid' : 'resolveSent'),
      help: t(refundId === null ? 'resolvePaidHelp' : 'resolveSentHelp'),
      reference: '',
    },
    reversed: {
      label: t('resolveReversed'),
      help: t('resolveReversedHelp'),
      amount: { label: t('amountReversed'), suggestion },
    },
    bounced: { label: t('resolveBounced'), help: t('resolveBouncedHelp') },
    differs: {
      label: t('resolveDiffers'),
      help: t('resolveDiffersHelp'),
      amount: { label: t('amountWhole'), help: t('amountWholeHelp'), suggestion },
      hasSide: refundId === null,
    },
    unchanged: { label: t('resolveUnchanged'), help: t('resolveUnchangedHelp') },
  }
  return (
    <Case
      title={t('paymentContradiction')}
      kind="anomaly.resolve"
      body={{ subject: paymentId, review: anomalyId }}
      currency={currency}
      price={null}
      answers={anomaly.outcomes.map((value) => ({ value, ...answers[value] }))}
    >
      <p className={font('md', 'strong')}>{t('anomalyKind', { kind })}</p>
      {amount !== null && <p className={font('md', 'strong', 'numbers')}>{priceText(currency, amount)}</p>}
      {refundId !== null && <p>{t('anomalyRefund', { id: refundId })}</p>}
      <p>{t('paymentInReview', { time: dates.when(since), says: says(anomaly) })}</p>
      {report && (
        <p>
          {t('anomalyReport', {
            says: report.says,
            price: report.amount === null ? '' : priceText(currency, report.amount),
            time: dates.when(report.at),
          })}
        </p>
      )}
      {refusedRefunds.length > 0 && <p>{t('anomalyExplained', { ids: refusedRefunds.join(', ') })}</p>}
    </Case>
  )
}
