import type { MadeByMember } from '@muripo/contract/team'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { revokeKey } from '../../api/keys.ts'
import { deleteEndpoint } from '../../api/webhooks.ts'
import { useErrorToast } from '../../components/error-toast.ts'
import { dashboardToast } from '../../components/toast.ts'
import { Button } from '../../components/ui/button.tsx'
import { font, row, stack } from '../../components/ui/classes.ts'
import { Dialog, DialogFoot } from '../../components/ui/dialog.tsx'
import styles from './team.module.css'
import { useTeamText } from './text.ts'

interface LeftBehindProps {
  /** The person who was removed. */
  readonly name: string
  /** Null while the dialog is closed. */
  readonly made: MadeByMember | null
  readonly onClose: () => void
}

/** The keys and endpoints of a removed member that still work, each with an end. */
export function LeftBehind({ name, made, onClose }: LeftBehindProps) {
  const t = useTeamText()
  return (
    <Dialog opened={made !== null} onClose={onClose} title={t('madeTitle', { name })} closesBy="button">
      {made && (
        <>
          <div className={stack('gap16')}>
            <p className={font('quiet')}>{t('madeAbout', { name })}</p>
            <ul className={`${styles.made} list`}>
              {made.keys.map(({ id, name: key, application }) => (
                <Made
                  key={id}
                  what={key}
                  facts={t('madeKey', { application: application.name })}
                  revoke={() => revokeKey(application.id, id)}
                />
              ))}
              {made.endpoints.map(({ id, url, application }) => (
                <Made
                  key={id}
                  what={url}
                  facts={t('madeEndpoint', { application: application.name })}
                  revoke={() => deleteEndpoint({ applicationId: application.id, webhookId: id })}
                />
              ))}
            </ul>
          </div>
          <DialogFoot>
            <Button onClick={onClose}>{t('madeDone')}</Button>
          </DialogFoot>
        </>
      )}
    </Dialog>
  )
}

interface MadeProps {
  readonly what: string
  readonly facts: string
  readonly revoke: () => Promise<void>
}

function Made({ what, facts, revoke }: MadeProps) {
  const t = useTeamText()
  const [isRevoked, setRevoked] = useState(false)
  const revocation = useMutation({
    mutationFn: revoke,
    onSuccess() {
      setRevoked(true)
      dashboardToast.success(t('madeRevoked', { what }))
    },
    onError: useErrorToast(),
  })
  return (
    <li className={row('wrap', 'centre', 'gap12')}>
      <span className={styles.invited}>
        <span className={font('md', 'semibold', 'anywhere')}>{what}</span>
        <span className={font('sm', 'quiet', 'anywhere')}>{facts}</span>
      </span>
      {isRevoked ? (
        <span className={font('sm', 'quiet')}>{t('revoked')}</span>
      ) : (
        <Button
          kind="default"
          size="small"
          aria-label={t('revokeNamed', { what })}
          running={revocation.isPending}
          runningLabel={t('revokingMade')}
          onClick={() => revocation.mutate()}
        >
          {t('revoke')}
        </Button>
      )}
    </li>
  )
}
