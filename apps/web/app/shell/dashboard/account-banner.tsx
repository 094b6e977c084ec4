import english from 'virtual:texts/accountBanner/en'
import type { Account } from '@muripo/contract/account'
import type { accountBanner } from '@muripo/locales/account-banner'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { IconLock, IconShield } from '../../components/icons.ts'
import { font, row } from '../../components/ui/classes.ts'
import { useDashboardText } from '../../lib/dashboard-text.ts'
import { usePageText } from '../../lib/page-text.ts'
import { paths } from '../../lib/paths.ts'
import { withElements } from '../../lib/sentence.tsx'
import styles from './banners.module.css'

const useBannerText = () => usePageText<typeof accountBanner>(english)

interface NoteProps {
  readonly account: Account
}

/** The account waits for the operator. */
export function NotApproved({ account }: NoteProps) {
  const t = useBannerText()
  const application = <Link to={paths.applications}>{t('approvalTestLink')}</Link>
  const email = <span className={font('medium')}>{account.email}</span>
  return (
    <Banner icon={<IconShield size={20} stroke={1.75} aria-hidden />} title={t('approvalTitle')}>
      <p>{withElements((values) => t('approvalTest', values), { application })}</p>
      <p>{withElements((values) => t('approvalLive', values), { email })}</p>
    </Banner>
  )
}

/** The operator has suspended or closed the account. */
export function NotActive({ account: { status, statusReason } }: NoteProps) {
  const t = useBannerText()
  const link = <Link to={paths.contact}>{t('accountQuestionsLink')}</Link>
  return (
    <Banner
      icon={<IconLock size={20} stroke={1.75} aria-hidden />}
      title={t(status === 'closed' ? 'accountClosed' : 'accountSuspended')}
      stopped
    >
      <p>{t('accountStopped')}</p>
      {statusReason !== null && <p>{t('accountReason', { reason: statusReason })}</p>}
      <p>{withElements((values) => t('accountQuestions', values), { link })}</p>
    </Banner>
  )
}

interface BannerProps {
  readonly icon: ReactNode
  readonly title: string
  readonly stopped?: boolean
  readonly children: ReactNode
}

function Banner({ icon, title, stopped = false, children }: BannerProps) {
  const dashboard = useDashboardText()
  return (
    <section
      className={`${styles.banner} ${row('gap12', 'below24')} ${font('md')}`}
      aria-label={dashboard('yourAccount')}
      data-stopped={stopped || undefined}
    >
      {icon}
      <div>
        <p className={`${styles.title} ${font('semibold')}`}>{title}</p>
        {children}
      </div>
    </section>
  )
}
