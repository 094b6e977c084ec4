import type { ConsolePaymentDetails } from '@muripo/contract/console'
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
import { ProposalPanel } from '../decisions/proposal-panel.tsx'
import { auditAddress, merchantAddress } from '../entries.ts'
import { IconArrowRight } from '../icons.ts'
import { BackTo } from '../list-parts.tsx'
import { bodyClass, Subject } from '../panel-parts.tsx'
import { useConsolePayment } from '../queries.ts'
import { Reveal } from '../reveal.tsx'
import { priceText, useConsoleText } from '../text.ts'
import { Contradiction, ResolveAttempt, ResolveRefund } from './in-review.tsx'
import { MoneyBack } from './money-back.tsx'
import styles from './payments.module.css'
import { RefundsOf } from './refunds-of.tsx'

/** One payment of any merchant, with its evidence and the decisions that it waits for. */
export default function Payment() {
  const t = useConsoleText()
  const { merchantId = '', paymentId = '' } = useParams()
  const details = useConsolePayment(merchantId, paymentId)
  return (
    <>
      <BackTo to="/console/payments">{t('consolePaymentsPage')}</BackTo>
      <Subject query={details} title={t('consolePaymentPage')} panel={t('paymentEvidence')}>
        {(data) => <Shown details={data} />}
      </Subject>
    </>
  )
}

function Shown({ details }: { readonly details: ConsolePaymentDetails }) {
  const t = useConsoleText()
  const dates = useConsoleDates()
  const readsAudit = useConsoleMay('console.audit.read')
  const { merchantName, payment, proposals, reviews } = details
  const { paymentId, currency, amount, status, purposeDescription, timeline } = payment
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
          {reviews.attempts
            .filter(({ attemptId }) => isOpen(attemptId))
            .map((attempt) => (
              <ResolveAttempt key={attempt.attemptId} attempt={attempt} />
            ))}
          {reviews.refunds
            .filter(({ refundId, isWaiting, isPaidLate }) => isWaiting && !isPaidLate && isOpen(refundId))
            .map((refund) => (
              <ResolveRefund key={refund.refundId} refund={refund} />
            ))}
          {reviews.anomalies
            .filter(({ anomalyId }) => isOpen(anomalyId))
            .map((anomaly) => (
              <Contradiction key={anomaly.anomalyId} anomaly={anomaly} />
            ))}
          <RefundsOf details={details} />
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
