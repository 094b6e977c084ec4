import { Button } from '@mantine/core'
import type { Application } from '@muripo/contract/applications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { AskDialog } from '../../ui/ask-dialog.tsx'
import { IconKey } from '../../ui/icons.ts'
import { dashboardToast } from '../../ui/toast.ts'
import { useAccount } from '../account.ts'
import { sayFailure } from '../say-failure.ts'
import { keep, regenerate } from './applications-api.ts'
import styles from './dialogs.module.css'
import { EndpointsThatStay } from './endpoints-that-stay.tsx'
import facts from './facts.module.css'
import { Facts } from './facts.tsx'
import { KeyFact } from './key-fact.tsx'
import { Note } from './note.tsx'

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
  const [asking, setAsking] = useState(false)
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
        onClick={() => setAsking(true)}
      >
        Regenerate Key
      </Button>
      <RegenerateDialog application={application} opened={asking} onClose={() => setAsking(false)} />
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
  const cache = useQueryClient()
  const regeneration = useMutation({
    mutationFn: () => regenerate(application._id),
    onSuccess: (applicationKey) => {
      onClose()
      keep(cache, { ...application, applicationKey })
      dashboardToast.success('Application key regenerated successfully!')
    },
    onError: sayFailure,
  })
  return (
    <AskDialog
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
    </AskDialog>
  )
}
