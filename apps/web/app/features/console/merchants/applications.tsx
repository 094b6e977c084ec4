import type { MerchantDetails } from '@muripo/contract/console'
import { font, grid, place, row } from '../../../components/ui/classes.ts'
import { Panel } from '../../../components/ui/panel.tsx'
import { StatusBadge } from '../../../components/ui/status-badge.tsx'
import { useConsoleMay } from '../api.ts'
import { DecisionButton } from '../decisions/decision-button.tsx'
import { useWaitingBanking } from '../operation-queries.ts'
import { NoneYet } from '../panel-parts.tsx'
import { useConsoleText } from '../text.ts'
import { ApplicationKeys } from './application-keys.tsx'
import styles from './merchants.module.css'

type Application = MerchantDetails['applications'][number]

/** The applications with what payers see of them, and the decisions about each. */
export function Applications({ merchant }: { readonly merchant: MerchantDetails }) {
  const t = useConsoleText()
  const { applications } = merchant
  return (
    <Panel title={t('merchantApplications')} busy={false}>
      {applications.length === 0 && <NoneYet>{t('merchantApplicationsNone')}</NoneYet>}
      <ul className={place('list')}>
        {applications.map((each) => (
          <Shown key={each.id} application={each} merchant={merchant} />
        ))}
      </ul>
    </Panel>
  )
}

interface OfApplication {
  readonly application: Application
  readonly merchant: MerchantDetails
}

function Shown({ application, merchant }: OfApplication) {
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
        <ApplicationKeys application={application} />
        {banking === 'waiting' && <Banking application={application} merchant={merchant} />}
        <div className={row('wrap', 'gap8', 'above8')}>
          <DecisionButton
            kind={stopReason === null ? 'application.stop' : 'application.resume'}
            body={{ subject: id }}
            text={t(stopReason === null ? 'stopText' : 'resumeApplicationText')}
            danger={stopReason === null}
            isForMerchant
            name={name}
            proposals={merchant.proposals}
          />
        </div>
      </div>
    </li>
  )
}

/** The details that wait, as they are read: the decision is about exactly this change of them. */
function Banking({ application, merchant: { proposals } }: OfApplication) {
  const t = useConsoleText()
  const { data = [] } = useWaitingBanking(useConsoleMay('console.banking.read'))
  const details = data.find(({ applicationId }) => applicationId === application.id)
  if (!details) return null
  const { accountName, bankName, accountNumber, revision } = details
  const body = { subject: application.id, revision }
  return (
    <div className={grid('gap8', 'above8')}>
      <p className={font('sm', 'anywhere')}>{`${accountName}, ${bankName}, ${accountNumber}`}</p>
      <div className={row('wrap', 'gap8')}>
        <DecisionButton
          kind="banking.approve"
          body={body}
          text={t('bankingText')}
          name={application.name}
          proposals={proposals}
        />
        <DecisionButton
          kind="banking.reject"
          body={body}
          text={t('bankingRefuseText')}
          danger
          isForMerchant
          name={application.name}
        />
      </div>
    </div>
  )
}
