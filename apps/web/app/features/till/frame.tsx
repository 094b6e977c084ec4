import { type ReactNode, useEffect, useRef } from 'react'
import { useAccount } from '../../api/account.ts'
import { IconLogout } from '../../components/icons.ts'
import { font, grid, iconButtonClass, place, row } from '../../components/ui/classes.ts'
import { initialsOf } from '../../lib/initials.ts'
import { useCommonText } from '../../lib/page-text.ts'
import { OfflineBanner } from '../../shell/dashboard/banners.tsx'
import { TestStrip, useIsTestGateway } from '../../shell/dashboard/test-mode.tsx'
import { SignOut } from '../../shell/sign-out.tsx'
import styles from './till.module.css'

interface FrameProps {
  /** The name of the step. It receives the focus when it changes. */
  readonly title: string
  readonly isTitleShown?: boolean
  /** The shop, or the choice of one. */
  readonly counter: ReactNode
  readonly end: ReactNode
  /** The payments of the day, beside a wide page. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** A page of the till: the shop, one link and the sign-out above one column. */
export function Frame({ title, isTitleShown = false, counter, end, aside, children }: FrameProps) {
  const { data: account } = useAccount()
  const common = useCommonText()
  const isTest = useIsTestGateway()
  const heading = useRef<HTMLHeadingElement>(null)
  const first = useRef(title)
  useEffect(() => {
    if (first.current !== title) heading.current?.focus({ preventScroll: true })
    first.current = title
  }, [title])
  return (
    <div className={styles.page} data-test={isTest || undefined}>
      {isTest && <TestStrip />}
      <div className={styles.column}>
        <header className={`${styles.header} ${row('centre', 'gap8')}`}>
          <span className={`${styles.monogram} ${font('xs', 'semibold')}`} aria-hidden>
            {account && initialsOf(account.merchant?.name ?? account.fullname)}
          </span>
          <div className={`${grid()} ${place('grow')}`}>
            {counter}
            <p className={font('xs', 'quiet', 'clip')}>{account?.fullname}</p>
          </div>
          {end}
          <SignOut>
            {(openDialog) => (
              <button
                type="button"
                className={`${styles.signOut} ${iconButtonClass}`}
                aria-label={common('signOut')}
                onClick={openDialog}
              >
                <IconLogout size={20} stroke={1.75} aria-hidden />
              </button>
            )}
          </SignOut>
        </header>
        <main id="content" className={styles.step}>
          <h1
            ref={heading}
            tabIndex={-1}
            className={isTitleShown ? font('xl', 'bold', 'tight') : 'visuallyHidden'}
          >
            {title}
          </h1>
          <OfflineBanner />
          {children}
        </main>
      </div>
      {aside && <aside className={styles.aside}>{aside}</aside>}
    </div>
  )
}
