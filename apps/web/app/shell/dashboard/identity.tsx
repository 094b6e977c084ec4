import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { useAccount } from '../../api/account.ts'
import { font, grid, row, surface } from '../../components/ui/classes.ts'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { useDashboardText } from '../../lib/dashboard-text.ts'
import { initialsOf } from '../../lib/initials.ts'
import { useLazyModule } from '../../lib/lazy.ts'
import { useRoleName } from '../../lib/role-name.ts'
import styles from './identity.module.css'
import { useIsTestGateway } from './test-mode.tsx'

/** Another host than Muripo's names no merchant: there the account is the shop. */
function useShop(): { readonly name: string | undefined; readonly hasFailed: boolean } {
  const { data: account, error } = useAccount()
  return {
    name: account && (account.merchant?.name ?? account.fullname),
    hasFailed: error !== null && !account,
  }
}

interface SwitchProps {
  readonly className: string
  /** The shop, in a button or alone. */
  readonly children: (isButton: boolean) => ReactNode
}

/** The shop, as a button with the others where the person has some. The list and its code are loaded for them only. */
function Switch({ className, children }: SwitchProps) {
  const { data: account } = useAccount()
  const { module, load } = useLazyModule(() => import('./switcher.tsx'))
  const loadList = useEffectEvent(load)
  const hasOthers = (account?.merchantCount ?? 1) > 1
  useEffect(() => {
    if (hasOthers) void loadList()
  }, [hasOthers])
  if (!hasOthers || module === null) return <div className={className}>{children(false)}</div>
  return <module.Switcher className={className}>{children}</module.Switcher>
}

/** The shop whose payments the dashboard shows, and their mode. */
export function Shop() {
  const { name, hasFailed } = useShop()
  const t = useDashboardText()
  const isTest = useIsTestGateway()
  if (hasFailed) return null
  return (
    <Switch className={`${styles.shop} ${row('centre', 'gap12')} ${surface('inset')}`}>
      {() => (
        <>
          <span className={`${styles.monogram} ${font('xs', 'semibold')}`} aria-hidden>
            {name && initialsOf(name)}
          </span>
          <span className={`${styles.words} ${grid('grow')}`}>
            <span className={font('sm', 'semibold', 'strong', 'clip')} title={name}>
              {name ?? <Skeleton h={14} w={120} />}
            </span>
            <span className={font('xs', 'quiet', 'clip')}>{t(isTest ? 'testMode' : 'liveMode')}</span>
          </span>
        </>
      )}
    </Switch>
  )
}

/** The shop on a phone, whose menu is closed. */
export function Monogram() {
  const { name } = useShop()
  return (
    name !== undefined && (
      <Switch className={styles.compact ?? ''}>
        {(isButton) => (
          <span
            className={`${styles.monogram} ${font('xs', 'semibold')}`}
            {...(!isButton && { role: 'img', 'aria-label': name })}
            title={name}
          >
            {initialsOf(name)}
          </span>
        )}
      </Switch>
    )
  )
}

/** The person of this session, and the role in the shop. */
export function Person() {
  const { data: account, error } = useAccount()
  const t = useDashboardText()
  const roleName = useRoleName()
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
          <span className={font('xs', 'quiet', 'clip')}>
            {account.role ? roleName(account.role) : account.email}
          </span>
        </p>
      ) : (
        <p className={`${styles.words} ${grid()}`}>
          <Skeleton h={14} w={120} />
        </p>
      )}
    </div>
  )
}
