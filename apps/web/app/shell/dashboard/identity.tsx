import { useAccount } from '../../api/account.ts'
import { font, grid, row, surface } from '../../components/ui/classes.ts'
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
    <div className={`${styles.shop} ${row('centre', 'gap12')} ${surface('inset')}`}>
      <span className={`${styles.monogram} ${font('xs', 'semibold')}`} aria-hidden>
        {account && initialsOf(account.fullname)}
      </span>
      <div className={`${styles.words} ${grid()}`}>
        <p className={font('sm', 'semibold', 'strong', 'clip')} title={account?.fullname}>
          {account?.fullname ?? <Skeleton h={14} w={120} />}
        </p>
        <p className={font('xs', 'quiet', 'clip')}>{t(isTest ? 'testMode' : 'liveMode')}</p>
      </div>
    </div>
  )
}

/** The shop on a phone, whose menu is closed. */
export function Monogram() {
  const { data: account } = useAccount()
  return (
    account && (
      <span
        className={`${styles.monogram} ${font('xs', 'semibold')}`}
        role="img"
        aria-label={account.fullname}
        title={account.fullname}
      >
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
    <div className={`${styles.person} ${row('centre', 'gap12')}`}>
      <span className={`${styles.initials} ${font('xs', 'semibold')}`} aria-hidden>
        {account && initialsOf(account.fullname)}
      </span>
      {account ? (
        <p
          className={`${styles.words} ${grid()}`}
          title={t('signedInAs', { name: account.fullname, email: account.email })}
        >
          <span className={font('sm', 'semibold', 'strong', 'clip')}>{account.fullname}</span>
          <span className={font('xs', 'quiet', 'clip')}>{account.email}</span>
        </p>
      ) : (
        <p className={`${styles.words} ${grid()}`}>
          <Skeleton h={14} w={120} />
        </p>
      )}
    </div>
  )
}
