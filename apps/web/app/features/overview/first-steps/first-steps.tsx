import type { Application } from '@muripo/contract/applications'
import { Link } from 'react-router'
import { useAccount } from '../../../api/account.ts'
import type { Stats } from '../../../api/answers.ts'
import { useApplications } from '../../../api/applications.ts'
import { ButtonLink } from '../../../components/ui/button.tsx'
import { font, stack } from '../../../components/ui/classes.ts'
import { Panel } from '../../../components/ui/panel.tsx'
import { VisuallyHidden } from '../../../components/ui/visually-hidden.tsx'
import { CREATES, paths } from '../../../lib/paths.ts'
import styles from './first-steps.module.css'
import { Step } from './step.tsx'
import { TestPayment } from './test-payment.tsx'
import { useFirstStepsText } from './text.ts'

interface FirstStepsProps {
  readonly stats: Stats
  readonly onTestPayment: (paymentId: string) => void
}

/** The tasks of a merchant before the first payment of a customer. The email address was confirmed by the code of the first sign-in. */
export function FirstSteps({ stats, onTestPayment }: FirstStepsProps) {
  const t = useFirstStepsText()
  const { data: applications = [] } = useApplications()
  const active = applications.find(({ status }) => status === 'active')
  const hasApplication = stats.totalApplications > 0
  const hasPayment = stats.totalCompleted > 0
  const hasBank = applications.some(({ bankName }) => bankName !== null)
  const states = [true, hasApplication, hasPayment, hasBank]
  const done = states.filter(Boolean).length
  const next = states.indexOf(false)
  return (
    <Panel
      title={t('firstSteps')}
      aside={<span className={font('sm', 'quiet')}>{t('stepsDone', { done: String(done), all: '4' })}</span>}
      busy={false}
    >
      <VisuallyHidden as="p" role="status">
        {hasPayment && t('testReceived')}
      </VisuallyHidden>
      <div className={`${styles.body} ${stack()}`}>
        <ol className={stack('grow', 'list')}>
          <Step title={t('stepEmail')} isDone />
          <Step
            title={t('stepApplication')}
            text={t('stepApplicationText')}
            isDone={hasApplication}
            isNext={next === 1}
          >
            <ButtonLink to={paths.applications} state={CREATES}>
              {t('stepApplication')}
            </ButtonLink>
          </Step>
          <Payment
            application={active}
            isDone={hasPayment}
            isNext={next === 2}
            onTestPayment={onTestPayment}
          />
          <Step title={t('stepBank')} text={t('stepBankText')} isDone={hasBank} isNext={next === 3}>
            {active && (
              <ButtonLink to={paths.banking(active._id)} kind="default">
                {t('addBankAccount')}
              </ButtonLink>
            )}
          </Step>
        </ol>
        <p className={`${styles.foot} ${font('sm', 'quiet')}`}>
          {t('withoutWebsite')} <Link to={paths.newPayment}>{t('sellByLink')}</Link>
        </p>
      </div>
    </Panel>
  )
}

interface PaymentProps {
  readonly application: Application | undefined
  readonly isDone: boolean
  readonly isNext: boolean
  readonly onTestPayment: (paymentId: string) => void
}

/** The dashboard of a live gateway creates payments with real money only, so its step is a first payment. */
function Payment({ application, onTestPayment, ...state }: PaymentProps) {
  const t = useFirstStepsText()
  const { data: account } = useAccount()
  if (account === undefined) return <Step title={t('stepTest')} {...state} />
  if (account.gatewayMode === 'test')
    return <TestPayment application={application} {...state} onTestPayment={onTestPayment} />
  if (account.status === 'new') return <Step title={t('stepFirst')} text={t('stepFirstWaits')} {...state} />
  return (
    <Step title={t('stepFirst')} text={t('stepFirstText')} {...state}>
      {application && <ButtonLink to={paths.newPayment}>{t('createPaymentStep')}</ButtonLink>}
    </Step>
  )
}
