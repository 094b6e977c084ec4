import type { ReactNode } from 'react'
import { LanguageLinks } from '../../../components/language-links.tsx'
import { LogoIcon } from '../../../components/logo.tsx'
import { font, notice, row, surface } from '../../../components/ui/classes.ts'
import { useConsoleText } from '../text.ts'
import styles from './door.module.css'

interface DoorProps {
  readonly title: string
  readonly intro: string
  readonly children: ReactNode
}

/** A page without a session: one card. */
export function Door({ title, intro, children }: DoorProps) {
  const t = useConsoleText()
  return (
    <main id="content" tabIndex={-1} className={`${styles.page} ${surface('ink')}`}>
      <p className={`${row('centre', 'gap8')} ${font('lg', 'bold', 'tight')}`}>
        <LogoIcon size={26} />
        {t('consoleName')}
      </p>
      <div className={`${styles.card} ${surface('surface')}`}>
        <h1 className={font('xl', 'bold', 'tight', 'balance')}>{title}</h1>
        <p className={font('quiet', 'pretty', 'above8')}>{intro}</p>
        {children}
      </div>
      <div data-color-scheme="dark">
        <LanguageLinks />
      </div>
    </main>
  )
}

/** The error of a door, in its card. */
export const DoorError = ({ children }: { readonly children: ReactNode }) =>
  children && (
    <p role="alert" className={notice('failure', 'above16')}>
      {children}
    </p>
  )
