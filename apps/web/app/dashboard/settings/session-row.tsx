import { Button, Skeleton } from '@mantine/core'
import type { AccountSession } from '@muripo/contract/account'
import { exactText } from '../../lib/format.ts'
import { busy } from '../../ui/busy.ts'
import { IconDeviceDesktop, IconDeviceMobile } from '../../ui/icons.ts'
import panel from '../../ui/panel.module.css'
import { useTimeZone } from '../account.ts'
import { whenText } from '../when.ts'
import { deviceName, isHandheld } from './device-name.ts'
import rows from './rows.module.css'
import styles from './sessions.module.css'

interface SessionRowProps {
  readonly session: AccountSession
  readonly ending: boolean
  readonly onEnd: () => void
}

export function SessionRow({ session, ending, onEnd }: SessionRowProps) {
  const { browser, network, signedInAt, lastUsedAt, current } = session
  const Icon = isHandheld(browser) ? IconDeviceMobile : IconDeviceDesktop
  const name = deviceName(browser)
  return (
    <li className={rows.row}>
      <span className={rows.icon}>
        <Icon size={20} stroke={1.75} aria-hidden />
      </span>
      <div className={rows.words}>
        <p className={rows.name}>
          {name}
          {current && <span className={styles.current}>This device</span>}
        </p>
        <p className={rows.facts}>
          <span>
            Signed in <Moment at={signedInAt} />
          </span>
          <span>
            Last used <Moment at={lastUsedAt} />
          </span>
          {network && <span>Address {network}</span>}
        </p>
      </div>
      {!current && (
        <div className={rows.actions}>
          <Button
            variant="default"
            size="sm"
            className={panel.rowButton ?? ''}
            aria-label={`Sign out ${name}`}
            {...busy(ending)}
            onClick={onEnd}
          >
            {ending ? 'Signing out...' : 'Sign out'}
          </Button>
        </div>
      )}
    </li>
  )
}

function Moment({ at }: { readonly at: string }) {
  const timeZone = useTimeZone()
  return (
    <time dateTime={at} title={exactText(at, timeZone)}>
      {whenText(at, timeZone).replace(/^(Today|Yesterday)/, (day) => day.toLowerCase())}
    </time>
  )
}

export const SessionSkeleton = () => (
  <li className={rows.row}>
    <Skeleton h={40} w={40} radius={10} />
    <div className={rows.words}>
      <Skeleton h={14} w={160} my={5} />
      <Skeleton h={12} w="80%" my={4} />
    </div>
  </li>
)
