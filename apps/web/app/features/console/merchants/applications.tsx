import type { MerchantDetails } from '@muripo/contract/console'
import { font, grid, place, row } from '../../../components/ui/classes.ts'
import { Panel } from '../../../components/ui/panel.tsx'
import { StatusBadge } from '../../../components/ui/status-badge.tsx'
import { useConsoleText } from '../text.ts'
import styles from './merchants.module.css'

type Application = MerchantDetails['applications'][number]

/** The applications with what payers see of them. */
export function Applications({ merchant: { applications } }: { readonly merchant: MerchantDetails }) {
  const t = useConsoleText()
  return (
    <Panel title={t('merchantApplications')} busy={false}>
      {applications.length === 0 && (
        <p className={`${styles.text} ${font('md', 'quiet')}`}>{t('merchantApplicationsNone')}</p>
      )}
      <ul className={place('list')}>
        {applications.map((each) => (
          <Shown key={each.id} application={each} />
        ))}
      </ul>
    </Panel>
  )
}

function Shown({ application }: { readonly application: Application }) {
  const t = useConsoleText()
  const { id, name, category, shownName, colour, logo, banking, stopReason, waits } = application
  return (
    <li className={`${styles.application} ${row('start', 'gap12')}`}>
      {logo !== null && <img src={logo} alt={t('merchantLogo', { name })} className={styles.logo} />}
      <div className={`${grid('gap4')} ${place('grow')}`}>
        <p className={row('wrap', 'centre', 'gap8', 'rows4')}>
          <b className={font('md', 'semibold', 'anywhere')}>{name}</b>
          {waits && <StatusBadge tone="yellow">{t('merchantToDecide')}</StatusBadge>}
          {stopReason !== null && (
            <StatusBadge tone="red">{t('merchantStopped', { reason: stopReason })}</StatusBadge>
          )}
        </p>
        <p className={font('sm', 'quiet', 'anywhere')}>{`${category}, ${id}`}</p>
        <p className={font('sm', 'quiet', 'anywhere')}>
          {shownName === null ? t('merchantShownAsMerchant') : t('merchantShownName', { name: shownName })}
        </p>
        <p className={font('sm', 'quiet')}>{t('merchantBanking', { state: banking })}</p>
        {colour !== null && (
          <p className={`${row('centre', 'gap8')} ${font('sm', 'quiet')}`}>
            <span className={styles.swatch} style={{ background: colour }} aria-hidden />
            {t('merchantColour', { colour })}
          </p>
        )}
      </div>
    </li>
  )
}
