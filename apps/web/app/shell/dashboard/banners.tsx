import type { Account } from '@muripo/contract/account'
import { type ReactNode, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { useAccount } from '../../api/account.ts'
import { IconAlertTriangle, IconLock, IconShield } from '../../components/icons.ts'
import { paths } from '../../lib/paths.ts'
import { anyOf, eventOf } from '../../lib/signals.ts'
import styles from './banners.module.css'

/** The effect of the operator's decision for the account's owner. Empty when there is none. */
export function AccountBanner() {
  const { data: account } = useAccount()
  if (!account) return null
  if (account.status === 'suspended' || account.status === 'closed') return <NotActive account={account} />
  return account.status === 'new' && account.gatewayMode === 'live' ? <NotApproved account={account} /> : null
}

const NotApproved = ({ account }: { readonly account: Account }) => (
  <Banner
    icon={<IconShield size={20} stroke={1.75} aria-hidden />}
    title="Your account is waiting for approval"
  >
    <p>
      Test keys work already: with the test key of an <Link to={paths.applications}>application</Link> you can
      build and try your whole integration.
    </p>
    <p>
      Live keys follow once we have checked your document and the names that payers will see. There is nothing
      more for you to do; we write to <span className={styles.email}>{account.email}</span>.
    </p>
  </Banner>
)

const NotActive = ({ account: { status, statusReason } }: { readonly account: Account }) => (
  <Banner
    icon={<IconLock size={20} stroke={1.75} aria-hidden />}
    title={status === 'closed' ? 'Your account is closed' : 'Your account is suspended'}
    stopped
  >
    <p>
      You can see everything here, but nothing can be created, changed or refunded, and nobody can begin to
      pay. Payments that were confirmed before are still completed.
    </p>
    {statusReason !== null && <p>{`The reason: ${statusReason}`}</p>}
    <p>
      If you have questions, please <Link to={paths.contact}>contact us</Link>.
    </p>
  </Banner>
)

interface BannerProps {
  readonly icon: ReactNode
  readonly title: string
  readonly stopped?: boolean
  readonly children: ReactNode
}

const Banner = ({ icon, title, stopped = false, children }: BannerProps) => (
  <section className={styles.banner} aria-label="Your account" data-stopped={stopped || undefined}>
    {icon}
    <div>
      <p className={styles.title}>{title}</p>
      {children}
    </div>
  </section>
)

const subscribe = (listener: () => void) =>
  anyOf(eventOf(window, 'online'), eventOf(window, 'offline'))(listener)
const isOnline = () => navigator.onLine

/** Stays in view while the device has no network. */
export function OfflineBanner() {
  const online = useSyncExternalStore(subscribe, isOnline, () => true)
  return (
    <div role="status" className={styles.place}>
      {!online && (
        <p className={styles.offline}>
          <IconAlertTriangle size={18} stroke={1.75} aria-hidden />
          You are offline. What was loaded stays here, and is read again once the network is back.
        </p>
      )}
    </div>
  )
}
