import { useIsFetching } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { useAccount } from '../../api/account.ts'
import { IconAlertTriangle } from '../../components/icons.ts'
import { font, notice, row } from '../../components/ui/classes.ts'
import { useDashboardText } from '../../lib/dashboard-text.ts'
import { useLazyModule } from '../../lib/lazy.ts'
import { anyOf, eventOf } from '../../lib/signals.ts'
import styles from './banners.module.css'

/** Explains the operator's decision about the account. Empty for an approved account: the code of the explanation is loaded for the others. */
export function AccountBanner() {
  const { data: account } = useAccount()
  const isStopped = account?.status === 'suspended' || account?.status === 'closed'
  const isExplained = isStopped || (account?.status === 'new' && account.gatewayMode === 'live')
  const { module, load } = useLazyModule(() => import('./account-banner.tsx'))
  const loadOnce = useEffectEvent(load)
  useEffect(() => {
    if (isExplained) void loadOnce()
  }, [isExplained])
  if (!account || !isExplained || module === null) return null
  return isStopped ? <module.NotActive account={account} /> : <module.NotApproved account={account} />
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
