import type { ConsolePaymentDetails, Reviews } from '@muripo/contract/console'
import { Link, useParams } from 'react-router'
import { Timeline } from '../../../components/timeline.tsx'
import { ButtonLink } from '../../../components/ui/button.tsx'
import { font, grid, row, surface } from '../../../components/ui/classes.ts'
import { Fact, Facts } from '../../../components/ui/facts.tsx'
import { PageHeader } from '../../../components/ui/page-header.tsx'
import { Panel } from '../../../components/ui/panel.tsx'
import { PaymentStatusBadge } from '../../../components/ui/status-badge.tsx'
import { capitalise } from '../../../lib/format.ts'
import { useFormats } from '../../../lib/use-formats.ts'
import { useConsoleMay } from '../api.ts'
import { useConsoleDates } from '../dates.ts'
import { DecisionButton, type DecisionButtonProps } from '../decisions/decision-button.tsx'
import { useAmountCheck } from '../decisions/decision-fields.tsx'
import { useDecider } from '../decisions/kinds.ts'
import { ProposalPanel } from '../decisions/proposal-panel.tsx'
import { auditAddress, merchantAddress } from '../entries.ts'
import { IconArrowRight } from '../icons.ts'
import { BackTo } from '../list-parts.tsx'
import { bodyClass, Subject } from '../panel-parts.tsx'
import { useConsolePayment, useReviews } from '../queries.ts'
import { Reveal } from '../reveal.tsx'
import { priceText, useConsoleText } from '../text.ts'
import { Contradiction, ResolveAttempt, ResolveRefund } from './in-review.tsx'
import styles from './payments.module.css'

/** One payment of any merchant, with its evidence and the decisions that it waits for. */
export default function Payment() {
  const t = useConsoleText()
  const { merchantId = '', paymentId = '' } = useParams()
  const details = useConsolePayment(merchantId, paymentId)
  const reviews = useReviews(useConsoleMay('console.reviews.read'))
  return (
    <>
      <BackTo to="/console/payments">{t('consolePaymentsPage')}</BackTo>
      <Subject query={details} title={t('consolePaymentPage')} panel={t('paymentEvidence')}>
        {(data) => <Shown details={data} reviews={reviews.data} />}
      </Subject>
    </>
  )
}

interface ShownProps {
  readonly details: ConsolePaymentDetails
  readonly reviews: Reviews | undefined
}

function Shown({ details, reviews }: ShownProps) {
  const t = useConsoleText()
  const dates = useConsoleDates()
  const readsAudit = useConsoleMay('console.audit.read')
  const { merchantName, payment, proposals } = details
  const { paymentId, currency, amount, status, purposeDescription, timeline } = payment
  const isThis = (each: { readonly paymentId: string }) => each.paymentId === paymentId
  const isOpen = (id: string) => proposals.every(({ subject }) => subject !== id)
  return (
    <>
      <PageHeader title={t('consolePaymentPage')} subtitle={`${paymentId}, ${merchantName}`}>
        {readsAudit && (
          <ButtonLink kind="default" to={auditAddress(paymentId)} icon={IconArrowRight}>
            {t('consoleAuditPage')}
          </ButtonLink>
        )}
      </PageHeader>
      <div className={styles.columns}>
        <div className={grid('gap24')}>
          <div className={`${bodyClass} ${surface('surface')} ${row('wrap', 'start', 'between', 'gap16')}`}>
            <div>
              <p className={font('title', 'bold', 'tight', 'numbers')}>{priceText(currency, amount)}</p>
              <p className={font('md', 'quiet', 'anywhere')}>{purposeDescription}</p>
            </div>
            <PaymentStatusBadge status={capitalise(status.toLowerCase())} />
          </div>
          <Panel title={t('paymentEvidence')} busy={false}>
            <div className={bodyClass}>
              <Timeline
                entries={timeline}
                currency={currency}
                error={null}
                onRetry={() => {}}
                retrying={false}
                when={dates.exactly}
              />
            </div>
          </Panel>
        </div>
        <div className={grid('gap24')}>
          {proposals.map((proposal) => (
            <ProposalPanel key={proposal.id} proposal={proposal} />
          ))}
          {reviews?.attempts
            .filter(isThis)
            .filter(({ attemptId }) => isOpen(attemptId))
            .map((attempt) => (
              <ResolveAttempt key={attempt.attemptId} attempt={attempt} />
            ))}
          {reviews?.refunds
            .filter(isThis)
            .filter(({ refundId }) => isOpen(refundId))
            .map((refund) => (
              <ResolveRefund key={refund.refundId} refund={refund} />
            ))}
          {reviews?.anomalies.filter(isThis).map((anomaly) => (
            <Contradiction key={anomaly.anomalyId} anomaly={anomaly} />
          ))}
          <FactsOfPayment details={details} />
          <MoneyBack details={details} />
        </div>
      </div>
    </>
  )
}

function FactsOfPayment({ details }: { readonly details: ConsolePaymentDetails }) {
  const t = useConsoleText()
  const dates = useConsoleDates()
  const { methodLabel } = useFormats()
  const { merchantId, merchantName, payment, revealedUntil } = details
  const { paymentId, currency, customer, customerPhoneNumber, amountRefunded, fee } = payment
  const payer = [customer.name, customer.email, customerPhoneNumber ?? customer.phone].filter(Boolean)
  return (
    <Panel title={t('auditDetails')} busy={false}>
      <div className={styles.body}>
        <Facts>
          <Fact name={t('consoleShop')}>
            <Link to={merchantAddress(merchantId)} className={styles.link}>
              {merchantName}
            </Link>
          </Fact>
          <Fact name={t('paymentOfApplication')}>{payment.applicationName}</Fact>
          <Fact name={t('paymentWay')}>{methodLabel(payment.method)}</Fact>
          {payer.length > 0 && <Fact name={t('paymentPayer')}>{payer.join('\n')}</Fact>}
          {payment.paymentMethodReference && (
            <Fact name={t('paymentProviderReference')}>{payment.paymentMethodReference}</Fact>
          )}
          <Fact name={t('paymentCreated')}>{dates.when(payment.createdAt)}</Fact>
          {fee !== null && <Fact name={t('paymentFee')}>{priceText(currency, fee)}</Fact>}
          {amountRefunded > 0 && (
            <Fact name={t('paymentRefundedAmount')}>{priceText(currency, amountRefunded)}</Fact>
          )}
        </Facts>
        <Reveal subject={paymentId} revealedUntil={revealedUntil} />
      </div>
    </Panel>
  )
}

/** In whole cents: 25.1 - 25.05 is exactly 0.05. */
const less = (amount: number, part: number): number =>
  (Math.round(amount * 100) - Math.round(part * 100)) / 100

/** The decisions about a payment that was paid, as far as an amount of it remains. */
function MoneyBack({ details: { payment, proposals } }: Pick<ShownProps, 'details'>) {
  const t = useConsoleText()
  const checkAmount = useAmountCheck()
  const { decides } = useDecider()
  const { paymentId, currency, amountCaptured, amountRefunded, amountReversed } = payment
  const unrefunded = less(amountCaptured ?? 0, amountRefunded)
  const remaining = less(unrefunded, amountReversed)
  const amountUpTo = (most: number) =>
    ({
      name: 'amount',
      label: t('consoleAmount'),
      check: (value: string) => checkAmount(value, currency, most),
    }) as const
  const possible: readonly Pick<DecisionButtonProps, 'kind' | 'text' | 'fields' | 'danger'>[] = [
    ...(remaining > 0
      ? ([
          {
            kind: 'refund.open',
            text: t('refundOpenText'),
            fields: [{ ...amountUpTo(remaining), help: t('refundOpenHelp'), isOptional: true }],
          },
          {
            kind: 'payment.reverse',
            text: t('reverseText'),
            fields: [{ ...amountUpTo(unrefunded), help: t('reverseHelp') }],
            danger: true,
          },
        ] as const)
      : []),
    ...(amountReversed > 0
      ? ([{ kind: 'payment.return', text: t('returnText'), fields: [amountUpTo(amountReversed)] }] as const)
      : []),
  ]
  const shown = possible.filter(
    ({ kind }) => decides(kind) && proposals.every((proposal) => proposal.kind !== kind),
  )
  return (
    shown.length > 0 && (
      <Panel title={t('decision')} busy={false}>
        <div className={`${bodyClass} ${row('wrap', 'gap12')}`}>
          {shown.map((each) => (
            <DecisionButton key={each.kind} body={{ subject: paymentId }} {...each} />
          ))}
        </div>
      </Panel>
    )
  )
}
