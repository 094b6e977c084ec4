import type { Application } from '@muripo/contract/applications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useAccount } from '../../api/account.ts'
import { regenerateApplicationKey, setApplicationInCache } from '../../api/applications.ts'
import { useEndpoints } from '../../api/webhooks.ts'
import { useErrorToast } from '../../components/error-toast.ts'
import { IconKey } from '../../components/icons.ts'
import { dashboardToast } from '../../components/toast.ts'
import { Button } from '../../components/ui/button.tsx'
import { font } from '../../components/ui/classes.ts'
import { Confirm } from '../../components/ui/confirm.tsx'
import facts from '../../components/ui/facts.module.css'
import { Facts, KeyFact } from '../../components/ui/facts.tsx'
import { Note } from '../../components/ui/note.tsx'
import { useLazyModule } from '../../lib/lazy.ts'
import styles from './dialogs.module.css'
import { useApplicationsText } from './text.ts'

export function KeyTab({ application }: { readonly application: Application }) {
  const t = useApplicationsText()
  const { data: account } = useAccount()
  const needsApproval = account && account.gatewayMode === 'live' && account.status !== 'approved'
  return (
    <>
      <Facts>
        {application.applicationKey === null ? (
          <NoKey needsApproval={needsApproval} />
        ) : (
          <KeyFact name={t('applicationKey')}>{application.applicationKey}</KeyFact>
        )}
        {application.testKey && (
          <KeyFact name={t('testKey')} hint={t('testKeyHint')}>
            {application.testKey}
          </KeyFact>
        )}
      </Facts>
      {(application.applicationKey !== null || needsApproval === false) && (
        <Regenerate application={application} />
      )}
      <NamedKeysPanel application={application} />
    </>
  )
}

/** The code of the named keys is loaded when their tab is opened. */
function NamedKeysPanel({ application }: { readonly application: Application }) {
  const { module, load } = useLazyModule(() => import('./keys/named-keys.tsx'))
  const loadFirst = useEffectEvent(() => load())
  useEffect(() => void loadFirst(), [])
  return module ? <module.NamedKeys application={application} /> : null
}

function Regenerate({ application }: { readonly application: Application }) {
  const t = useApplicationsText()
  const [isConfirming, setConfirming] = useState(false)
  return (
    <>
      <Note>
        {t('regenerateNotice')}
        {application.testKey && ` ${t('testKeyStays')}`}
      </Note>
      <Button kind="default" spaced icon={IconKey} onClick={() => setConfirming(true)}>
        {t('regenerateButton')}
      </Button>
      <RegenerateDialog
        application={application}
        opened={isConfirming}
        onClose={() => setConfirming(false)}
      />
    </>
  )
}

/** The reason for a missing key, in the place of the key. */
function NoKey({ needsApproval }: { readonly needsApproval: boolean | undefined }) {
  const t = useApplicationsText()
  return (
    <div>
      <dt>{t('applicationKey')}</dt>
      <dd className={facts.hint}>
        {needsApproval !== undefined && t(needsApproval ? 'keyNeedsApproval' : 'keyRevoked')}
      </dd>
    </div>
  )
}

interface RegenerateDialogProps {
  readonly application: Application
  readonly opened: boolean
  readonly onClose: () => void
}

function RegenerateDialog({ application, opened, onClose }: RegenerateDialogProps) {
  const t = useApplicationsText()
  const toastError = useErrorToast()
  const cache = useQueryClient()
  const regeneration = useMutation({
    mutationFn: () => regenerateApplicationKey(application._id),
    onSuccess: (applicationKey) => {
      onClose()
      setApplicationInCache(cache, { ...application, applicationKey })
      dashboardToast.success(t('keyRegenerated'))
    },
    onError: toastError,
  })
  return (
    <Confirm
      opened={opened}
      title={t('regenerateTitle')}
      verb={t('regenerateButton')}
      working={t('regenerating')}
      running={regeneration.isPending}
      danger
      onConfirm={() => regeneration.mutate()}
      onClose={onClose}
    >
      <p className={font('quiet')}>{t('cannotBeUndone')}</p>
      <Note>{t('oldKeyStops')}</Note>
      <EndpointsThatStay applicationId={application._id} />
    </Confirm>
  )
}

/** A new key removes no endpoint, so the page lists them: an attacker may have added one with the old key. */
export function EndpointsThatStay({ applicationId }: { readonly applicationId: string }) {
  const t = useApplicationsText()
  const { data: webhooks, error } = useEndpoints(applicationId)
  const isLive = useAccount().data?.gatewayMode === 'live'
  if (error && !webhooks) return <p className={font('sm', 'quiet', 'above12')}>{t('endpointsNotLoaded')}</p>
  if (!webhooks) return <p className={font('sm', 'quiet', 'above12')}>{t('loadingEndpointsThatStay')}</p>
  if (webhooks.length === 0) return <p className={font('sm', 'quiet', 'above12')}>{t('endpointsNone')}</p>
  return (
    <>
      <p className={font('sm', 'quiet', 'above12')}>{t('endpointsStay')}</p>
      <ul className={`${styles.endpoints} ${font('sm', 'anywhere')}`} aria-label={t('endpointsThatStay')}>
        {webhooks.map(({ _id, url, mode }) => (
          <li key={_id}>{isLive && mode === 'test' ? t('endpointForTests', { url }) : url}</li>
        ))}
      </ul>
    </>
  )
}
