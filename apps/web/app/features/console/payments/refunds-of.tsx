import type { ConsolePaymentDetails } from '@muripo/contract/console'
import type { ConsoleRefund } from '@muripo/contract/console-reviews'
import { font, grid, place, row } from '../../../components/ui/classes.ts'
import { Panel } from '../../../components/ui/panel.tsx'
import { StatusBadge } from '../../../components/ui/status-badge.tsx'
import { useConsoleDates } from '../dates.ts'
import { DecisionButton } from '../decisions/decision-button.tsx'
import { useAmountCheck } from '../decisions/decision-fields.tsx'
import { type ConsoleText, priceText, useConsoleText } from '../text.ts'
import styles from './payments.module.css'

type Tone = Parameters<typeof StatusBadge>[0]['tone']

/** The state of a refund in the words of the refund desk. */
export function refundState(
  { status, bouncedAt, isPaidLate, isWaiting }: ConsoleRefund,
  t: ConsoleText,
): readonly [Tone, string] {
  if (bouncedAt !== null) return ['red', t('refundCameBack')]
  if (isPaidLate && isWaiting) return ['red', t('refundPaidLate')]
  if (status === 'completed') return ['green', t('refundSent')]
  if (status === 'failed') return ['red', t('refundFailed')]
  return ['yellow', t(status === 'awaiting_operator' ? 'refundToSend' : 'refundWithProvider')]
}

/** All refunds of a payment, with the decisions about those that are over. What waits has a form of its own. */
export function RefundsOf({ details: { reviews, proposals } }: { readonly details: ConsolePaymentDetails }) {
  const t = useConsoleText()
  return (
    reviews.refunds.length > 0 && (
      <Panel title={t('paymentRefunds')} busy={false}>
        <ul className={place('list')}>
          {reviews.refunds.map((refund) => (
            <Shown key={refund.refundId} refund={refund} proposals={proposals} />
          ))}
        </ul>
      </Panel>
    )
  )
}

interface ShownProps extends Pick<ConsolePaymentDetails, 'proposals'> {
  readonly refund: ConsoleRefund
}

function Shown({ refund, proposals }: ShownProps) {
  const t = useConsoleText()
  const dates = useConsoleDates()
  const checkAmount = useAmountCheck()
  const { refundId, currency, amount, since, origin, reason, reference, status, isPaidLate, isWaiting } =
    refund
  const [tone, state] = refundState(refund, t)
  const price = priceText(currency, amount)
  const shared = { body: { subject: refundId }, name: `${price}, ${refundId}`, proposals }
  return (
    <li className={`${styles.refund} ${grid('gap8')}`}>
      <p className={row('wrap', 'centre', 'between', 'gap8', 'rows4')}>
        <span className={font('md', 'semibold', 'numbers')}>{price}</span>
        <StatusBadge tone={tone}>{state}</StatusBadge>
      </p>
      <div className={`${font('sm', 'quiet', 'anywhere')} ${grid('gap4')}`}>
        <p>{`${dates.when(since)}, ${refundId}`}</p>
        {origin === 'duplicate' && <p>{t('refundOfSecond')}</p>}
        {reason !== null && <p>“{reason}”</p>}
        {reference !== null && <p>{t('refundUnder', { reference })}</p>}
      </div>
      <div className={row('wrap', 'gap8')}>
        {status === 'completed' && (
          <DecisionButton kind="refund.bounce" text={t('bounceText')} danger {...shared} />
        )}
        {isPaidLate && isWaiting && (
          <DecisionButton
            kind="refund.settle"
            text={t('settleText')}
            fields={[
              {
                name: 'amount',
                label: t('settleAmount'),
                help: t('settleAmountHelp'),
                isOptional: true,
                check: (value) => (/^0(\.0+)?$/.test(value) ? null : checkAmount(value, currency)),
              },
            ]}
            {...shared}
          />
        )}
      </div>
    </li>
  )
}
