import { useAccount } from '../../api/account.ts'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { useDashboardText } from '../../lib/dashboard-text.ts'
import styles from './identity.module.css'
import { useIsTestGateway } from './test-mode.tsx'

/** The first letters of the first and of the last word. */
export function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word = '') => [...word][0] ?? '',
  )
  return letters.join('').toUpperCase()
}

/** The shop whose payments the dashboard shows, and their mode. */
export function Shop() {
  const { data: account, error } = useAccount()
  const t = useDashboardText()
  const isTest = useIsTestGateway()
  if (error && !account) return null
  return (
    <div className={styles.shop}>
      <span className={styles.monogram} aria-hidden>
        {account && initialsOf(account.fullname)}
      </span>
      <div className={styles.words}>
        <p className={styles.name} title={account?.fullname}>
          {account?.fullname ?? <Skeleton h={14} w={120} />}
        </p>
        <p className={styles.fact}>{t(isTest ? 'testMode' : 'liveMode')}</p>
      </div>
    </div>
  )
}

/** The shop on a phone, whose menu is closed. */
export function Monogram() {
  const { data: account } = useAccount()
  return (
    account && (
      <span className={styles.monogram} role="img" aria-label={account.fullname} title={account.fullname}>
        {initialsOf(account.fullname)}
      </span>
    )
  )
}

/** The person of this session. */
export function Person() {
  const { data: account, error } = useAccount()
  const t = useDashboardText()
  if (error && !account) return null
  return (
    <div className={styles.person}>
      <span className={styles.initials} aria-hidden>
        {account && initialsOf(account.fullname)}
      </span>
      {account ? (
        <p className={styles.words} title={t('signedInAs', { name: account.fullname, email: account.email })}>
          <span className={styles.name}>{account.fullname}</span>
          <span className={styles.fact}>{account.email}</span>
        </p>
      ) : (
        <p className={styles.words}>
          <Skeleton h={14} w={120} />
        </p>
      )}
    </div>
  )
}
