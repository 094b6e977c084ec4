import type { Reviews } from '@muripo/contract/console'
import { font, grid } from '../../../components/ui/classes.ts'
import { Panel } from '../../../components/ui/panel.tsx'
import { useConsoleDates } from '../dates.ts'
import { useDecider } from '../decisions/kinds.ts'
import { bodyClass } from '../panel-parts.tsx'
import { useSays } from '../says.ts'
import { priceText, useConsoleText } from '../text.ts'
import { ResolveForm } from './resolve-form.tsx'

type Attempt = Reviews['attempts'][number]
type Refund = Reviews['refunds'][number]
type Anomaly = Reviews['anomalies'][number]

/** An attempt without a known outcome: the operator says whether it was paid. */
export function ResolveAttempt({ attempt }: { readonly attempt: Attempt }) {
  const t = useConsoleText()
  const dates = useConsoleDates()
  const says = useSays()
  const { decides } = useDecider()
  const { paymentId, attemptId, currency, amount, since, heldBecause } = attempt
  return (
    <Panel title={t('resolveQuestion')} busy={false}>
      <div className={`${bodyClass} ${grid('gap16')}`}>
        <div className={`${font('sm', 'quiet', 'pretty', 'anywhere')} ${grid('gap4')}`}>
          <p>{t('paymentInReview', { time: dates.when(since), says: says(attempt) })}</p>
          {heldBecause !== null && <p>{t('paymentHeldBecause', { reason: heldBecause })}</p>}
        </div>
        {decides('attempt.resolve') ? (
          <ResolveForm
            kind="attempt.resolve"
            subject={paymentId}
            attempt={attemptId}
            price={priceText(currency, amount)}
            question={t('resolveQuestion')}
            yes={{ label: t('resolvePaid'), help: t('resolvePaidHelp') }}
            no={{ label: t('resolveNotPaid'), help: t('resolveNotPaidHelp') }}
            suggestion={attempt.providerReference ?? ''}
          />
        ) : (
          <p className={font('md', 'quiet')}>{t('notDecider')}</p>
        )}
      </div>
    </Panel>
  )
}

/** A refund that a person sends, or whose outcome a person finds out. */
export function ResolveRefund({ refund }: { readonly refund: Refund }) {
  const t = useConsoleText()
  const dates = useConsoleDates()
  const says = useSays()
  const { decides } = useDecider()
  const { refundId, currency, amount, since } = refund
  const price = priceText(currency, amount)
  return (
    <Panel title={t('resolveRefundQuestion')} busy={false}>
      <div className={`${bodyClass} ${grid('gap16')}`}>
        <p className={font('sm', 'quiet', 'pretty', 'anywhere')}>
          {t('paymentRefundWaits', { price, time: dates.when(since), says: says(refund) })}
        </p>
        {decides('refund.resolve') ? (
          <ResolveForm
            kind="refund.resolve"
            subject={refundId}
            price={price}
            question={t('resolveRefundQuestion')}
            yes={{ label: t('resolveSent'), help: t('resolveSentHelp') }}
            no={{ label: t('resolveNotSent'), help: t('resolveNotSentHelp') }}
            suggestion=""
          />
        ) : (
          <p className={font('md', 'quiet')}>{t('notDecider')}</p>
        )}
      </div>
    </Panel>
  )
}

/** A contradiction between a provider and the records. Only the command line has the amounts that its resolution books. */
export function Contradiction({ anomaly }: { readonly anomaly: Anomaly }) {
  const t = useConsoleText()
  const dates = useConsoleDates()
  const says = useSays()
  const { currency, amount, since } = anomaly
  return (
    <Panel title={t('paymentContradiction')} busy={false}>
      <div className={`${bodyClass} ${grid('gap8')} ${font('md', 'pretty', 'anywhere')}`}>
        <p>{t('paymentInReview', { time: dates.when(since), says: says(anomaly) })}</p>
        {amount !== null && <p className={font('numbers')}>{priceText(currency, amount)}</p>}
        <p className={font('sm', 'quiet')}>{t('paymentContradictionText')}</p>
      </div>
    </Panel>
  )
}
