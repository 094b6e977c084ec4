import { Button } from '@mantine/core'
import type { Application } from '@muripo/contract/applications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAccount } from '../../api/account.ts'
import { regenerateApplicationKey, setApplicationInCache } from '../../api/applications.ts'
import { useEndpoints } from '../../api/webhooks.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import facts from '../../components/description-list.module.css'
import { Facts, KeyFact } from '../../components/description-list.tsx'
import styles from '../../components/dialogs.module.css'
import { useErrorToast } from '../../components/error-toast.ts'
import { IconKey } from '../../components/icons.ts'
import { Note } from '../../components/note.tsx'
import { dashboardToast } from '../../components/toast.ts'

export function KeyTab({ application }: { readonly application: Application }) {
  const { data: account } = useAccount()
  const needsApproval = account && account.gatewayMode === 'live' && account.status !== 'approved'
  return (
    <>
      <Facts>
        {application.applicationKey === null ? (
          <NoKey needsApproval={needsApproval} />
        ) : (
          <KeyFact applicationKey={application.applicationKey} />
        )}
        {application.testKey && (
          <KeyFact
            applicationKey={application.testKey}
            name="Test key"
            hint="To try out your integration: it moves no money, and what is made with it does not appear on this dashboard."
          />
        )}
      </Facts>
      {(application.applicationKey !== null || needsApproval === false) && (
        <Regenerate application={application} />
      )}
    </>
  )
}

function Regenerate({ application }: { readonly application: Application }) {
  const [isConfirming, setConfirming] = useState(false)
  return (
    <>
      <Note>
        Regenerating immediately invalidates the current key. Every integration that uses it must be updated
        with the new one.{application.testKey && ' The test key stays.'}
      </Note>
      <Button
        variant="default"
        mt={20}
        leftSection={<IconKey size={18} stroke={1.75} aria-hidden />}
        onClick={() => setConfirming(true)}
      >
        Regenerate Key
      </Button>
      <RegenerateDialog
        application={application}
        opened={isConfirming}
        onClose={() => setConfirming(false)}
      />
    </>
  )
}

/** Where the key would stand, and why there is none. */
const NoKey = ({ needsApproval }: { readonly needsApproval: boolean | undefined }) => (
  <div>
    <dt>Application Key</dt>
    <dd className={facts.hint}>
      {needsApproval &&
        'Your live key appears here once your account is approved for live payments. We write to you when that is done.'}
      {needsApproval === false &&
        'This application has no key: the last one was revoked. Regenerate it to get another one.'}
    </dd>
  </div>
)

interface RegenerateDialogProps {
  readonly application: Application
  readonly opened: boolean
  readonly onClose: () => void
}

function RegenerateDialog({ application, opened, onClose }: RegenerateDialogProps) {
  const toastError = useErrorToast()
  const cache = useQueryClient()
  const regeneration = useMutation({
    mutationFn: () => regenerateApplicationKey(application._id),
    onSuccess: (applicationKey) => {
      onClose()
      setApplicationInCache(cache, { ...application, applicationKey })
      dashboardToast.success('Application key regenerated successfully!')
    },
    onError: toastError,
  })
  return (
    <ConfirmDialog
      opened={opened}
      title="Regenerate Application Key"
      confirm="Regenerate Key"
      confirming="Regenerating..."
      running={regeneration.isPending}
      color="danger"
      onConfirm={() => regeneration.mutate()}
      onClose={onClose}
    >
      <p className={styles.quiet}>This action cannot be undone</p>
      <Note>Integrations that use the old key stop working the moment the new one is made.</Note>
      {opened && <EndpointsThatStay applicationId={application._id} />}
    </ConfirmDialog>
  )
}

/** A new key removes no endpoint, so the page lists them: an attacker may have added one with the old key. */
export function EndpointsThatStay({ applicationId }: { readonly applicationId: string }) {
  const { data: webhooks, error } = useEndpoints(applicationId)
  const isLive = useAccount().data?.gatewayMode === 'live'
  if (error && !webhooks)
    return <p className={styles.keep}>The webhook endpoints could not be loaded. They stay as they are.</p>
  if (!webhooks) return <p className={styles.keep}>Loading webhook endpoints...</p>
  if (webhooks.length === 0) return <p className={styles.keep}>This application has no webhook endpoints.</p>
  return (
    <>
      <p className={styles.keep}>
        These webhook endpoints stay and go on receiving events. Delete those that are not yours under
        Webhooks.
      </p>
      <ul className={styles.endpoints} aria-label="Webhook endpoints that stay">
        {webhooks.map(({ _id, url, mode }) => (
          <li key={_id}>
            {url}
            {isLive && mode === 'test' && ' (test payments)'}
          </li>
        ))}
      </ul>
    </>
  )
}
