import type { MerchantDetails } from '@muripo/contract/console'
import { font, grid, place, row } from '../../../components/ui/classes.ts'
import { useConsoleDates } from '../dates.ts'
import { DecisionButton } from '../decisions/decision-button.tsx'
import { useConsoleText } from '../text.ts'

interface ApplicationKeysProps {
  readonly application: MerchantDetails['applications'][number]
}

/** The keys of an application, of which only the last characters are shown. Named keys are ended by their merchant, or by stopping the application. */
export function ApplicationKeys({ application: { id, name, keys } }: ApplicationKeysProps) {
  const t = useConsoleText()
  const dates = useConsoleDates()
  if (keys.length === 0) return <p className={font('sm', 'quiet')}>{t('keysNone')}</p>
  return (
    <ul className={`${grid('gap8', 'above8')} ${place('list')}`}>
      {keys.map((key) => {
        const { mode, ending, createdAt, lastUsedAt } = key
        const since = dates.when(createdAt)
        const shown = key.name ?? `mk_${mode}_•••• ${ending}`
        return (
          <li key={`${mode} ${createdAt} ${shown}`} className={row('wrap', 'centre', 'between', 'gap8')}>
            <p className={`${font('sm', 'anywhere')} ${grid()}`}>
              <span className={key.name === null ? font('mono') : undefined}>{shown}</span>
              <span className={font('quiet')}>
                {lastUsedAt === null
                  ? t('keyMade', { mode, since })
                  : t('keyUsed', { mode, since, time: dates.when(lastUsedAt) })}
              </span>
            </p>
            {key.name === null && (
              <DecisionButton
                kind="key.revoke"
                body={{ subject: id, mode }}
                text={t('revokeText')}
                danger
                isForMerchant
                name={`${name}, ${t(mode === 'live' ? 'providerLive' : 'providerTests')}`}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}
