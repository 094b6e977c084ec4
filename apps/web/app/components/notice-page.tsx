import type { ReactNode } from 'react'
import { useCommonText } from '../lib/page-text.ts'
import { paths } from '../lib/paths.ts'
import { Logo } from './logo.tsx'
import styles from './notice-page.module.css'
import { font, row, stack, surface } from './ui/classes.ts'

interface NoticePageProps {
  readonly code: string
  readonly title: string
  readonly children: ReactNode
  /** Links below the one to the home page. */
  readonly links?: readonly { readonly to: string; readonly text: string }[]
}

/** A page without a layout, because the layout may have failed. */
export function NoticePage({ code, title, children, links = [] }: NoticePageProps) {
  const t = useCommonText()
  return (
    <main className={`${styles.page} ${stack()} ${surface('ink')}`}>
      <title>{`${title} · Muripo`}</title>
      <a href={paths.home} className={styles.brand} aria-label={t('brandHome')}>
        <Logo />
      </a>
      <div className={`${styles.body} ${font('centred')}`}>
        <p className={font('semibold', 'amber', 'numbers')}>{code}</p>
        <h1 className={font('title', 'bold', 'tight', 'balance', 'above8')}>{title}</h1>
        <p className={font('onInkQuiet', 'above16')}>{children}</p>
        <a href={paths.home} className={`${styles.link} ${font('semibold')}`}>
          {t('backToHome')}
        </a>
        {links.length > 0 && (
          <p className={`${styles.links} ${row('wrap', 'middle', 'gap24', 'rows0', 'above12')}`}>
            {links.map(({ to, text }) => (
              <a key={to} href={to}>
                {text}
              </a>
            ))}
          </p>
        )}
      </div>
    </main>
  )
}
