import { useRouteLoaderData } from 'react-router'
import { font, row, surface } from '../../components/ui/classes.ts'
import { useDashboardText } from '../../lib/dashboard-text.ts'
import styles from './dashboard-layout.module.css'

/** Whether the payments of this gateway move no real money. The document says so: the page does not move when the account arrives. */
export const useIsTestGateway = (): boolean =>
  (useRouteLoaderData('root') as { readonly isTestGateway?: boolean } | undefined)?.isTestGateway ?? false

/** Stays in view above every page of a gateway for tests. */
export function TestStrip() {
  const t = useDashboardText()
  return (
    <section
      className={`${styles.strip} ${row('centre', 'gap12')} ${surface('ink')} ${font('sm', 'nowrap')}`}
      aria-label={t('testMode')}
    >
      <span className={`${styles.test} ${font('xs', 'bold')}`}>{t('testBadge')}</span>
      <p>
        <span className={styles.mode}>{t('testMode')}. </span>
        {t('noRealMoney')}
      </p>
    </section>
  )
}
