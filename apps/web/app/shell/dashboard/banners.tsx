import type { Account } from '@muripo/contract/account'
import { useIsFetching } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { useAccount } from '../../api/account.ts'
import { IconAlertTriangle, IconLock, IconShield } from '../../components/icons.ts'
import { font, notice, row } from '../../components/ui/classes.ts'
import { useDashboardText } from '../../lib/dashboard-text.ts'
import { paths } from '../../lib/paths.ts'
import { withElements } from '../../lib/sentence.tsx'
import { anyOf, eventOf } from '../../lib/signals.ts'
import styles from './banners.module.css'

/** Explains the operator's decision about the account. Empty for an approved account. */
export function AccountBanner() {
  const { data: account } = useAccount()
  if (!account) return null
  if (account.status === 'suspended' || account.status === 'closed') return <NotActive account={account} />
  return account.status === 'new' && account.gatewayMode === 'live' ? <NotApproved account={account} /> : null
}

interface NoteProps {
  readonly account: Account
}

function NotApproved({ account }: NoteProps) {
  const t = useDashboardText()
  const application = <Link to={paths.applications}>{t('approvalTestLink')}</Link>
  const email = <span className={font('medium')}>{account.email}</span>
  return (
    <Banner icon={<IconShield size={20} stroke={1.75} aria-hidden />} title={t('approvalTitle')}>
      <p>{withElements((values) => t('approvalTest', values), { application })}</p>
      <p>{withElements((values) => t('approvalLive', values), { email })}</p>
    </Banner>
  )
}

function NotActive({ account: { status, statusReason } }: NoteProps) {
  const t = useDashboardText()
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
  const t = useDashboardText()
  return (
    <section
      className={`${styles.banner} ${row('gap12', 'below24')} ${font('md')}`}
      aria-label={t('yourAccount')}
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

const subscribe = (listener: () => void) =>
  anyOf(eventOf(window, 'online'), eventOf(window, 'offline'))(listener)
const isOnline = () => navigator.onLine

/** Stays in view while the device has no network. */
export function OfflineBanner() {
  const t = useDashboardText()
  const online = useSyncExternalStore(subscribe, isOnline, () => true)
  return (
    <div role="status" className={styles.place}>
      {!online && (
        <p className={`${styles.offline} ${row('centre')} ${notice()} ${font('medium')}`}>
          <IconAlertTriangle size={18} stroke={1.75} aria-hidden />
          {t('offlineBanner')}
        </p>
      )}
    </div>
  )
}

/** A call may take 20 s and is sent up to three times: without the note, the page would only show skeletons. */
export const LATE_MS = 8000

/** A note above the lower edge of the window while a part of the page has waited long for its first data. */
export function LateNote() {
  const t = useDashboardText()
  const isWaiting = useIsFetching({ predicate: ({ state }) => state.data === undefined }) > 0
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => setLate(true), LATE_MS)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [isWaiting])
  return (
    <div role="status" className={styles.late}>
      {isLate && (
        <p className={`${styles.offline} ${row('centre')} ${notice()} ${font('medium')}`}>
          {t('loadingLate')}
        </p>
      )}
    </div>
  )
}
