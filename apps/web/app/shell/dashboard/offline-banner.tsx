import { useSyncExternalStore } from 'react'
import { IconAlertTriangle } from '../../components/icons.ts'
import { anyOf, eventOf } from '../../lib/signals.ts'
import styles from './offline-banner.module.css'

const subscribe = (listener: () => void) =>
  anyOf(eventOf(window, 'online'), eventOf(window, 'offline'))(listener)
const isOnline = () => navigator.onLine

/** Stays in view while the device has no network. */
export function OfflineBanner() {
  const online = useSyncExternalStore(subscribe, isOnline, () => true)
  return (
    <div role="status" className={styles.place}>
      {!online && (
        <p className={styles.banner}>
          <IconAlertTriangle size={18} stroke={1.75} aria-hidden />
          You are offline. What was loaded stays here, and is read again once the network is back.
        </p>
      )}
    </div>
  )
}
