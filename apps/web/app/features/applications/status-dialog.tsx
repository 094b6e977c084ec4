import type { Application } from '@muripo/contract/applications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { setApplicationInCache, updateApplicationStatus } from '../../api/applications.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import styles from '../../components/dialogs.module.css'
import { useErrorToast } from '../../components/error-toast.ts'
import { dashboardToast } from '../../components/toast.ts'
import { capitalise } from '../../lib/format.ts'

interface StatusDialogProps {
  /** The application whose status may change; null while the dialog is closed. */
  readonly application: Application | null
  readonly onClose: () => void
}

export const statusVerb = ({ status }: Pick<Application, 'status'>): 'Deactivate' | 'Activate' =>
  status === 'active' ? 'Deactivate' : 'Activate'

/** Asks before an application is deactivated or activated, and explains the effect. */
export function StatusDialog({ application, onClose }: StatusDialogProps) {
  const toastError = useErrorToast()
  const cache = useQueryClient()
  // The question stays on the dialog while it fades out.
  const [shown, setShown] = useState(application)
  if (application && application !== shown) setShown(application)
  const change = useMutation({
    mutationFn: ({ _id, status }: Application) =>
      updateApplicationStatus(_id, status === 'active' ? 'inactive' : 'active'),
    onSuccess: (changed) => {
      onClose()
      setApplicationInCache(cache, changed)
      dashboardToast.success(`Application ${changed.status === 'active' ? 'activated' : 'deactivated'}`)
    },
    onError: toastError,
  })
  const stops = shown?.status === 'active'
  const verb = stops ? 'Deactivate' : 'Activate'
  const name = <strong className={styles.named}>{shown?.applicationName}</strong>
  return (
    <ConfirmDialog
      opened={application !== null}
      title={`${verb} Application`}
      confirm={verb}
      confirming={stops ? 'Deactivating...' : 'Activating...'}
      running={change.isPending}
      {...(stops ? { color: 'danger' } : {})}
      onConfirm={() => shown && change.mutate(shown)}
      onClose={onClose}
    >
      {stops ? <WhatStops name={name} /> : <WhatStarts name={name} />}
    </ConfirmDialog>
  )
}

const WhatStops = ({ name }: { readonly name: ReactNode }) => (
  <>
    <p>{name} takes no new payments from this moment on:</p>
    <ul className={styles.consequences}>
      <li>Its key is refused at once, for every call that your servers make with it.</li>
      <li>Payment links that are out already still work, so whoever has one can pay and finish.</li>
      <li>You can still see and refund its payments here, and activate it again at any time.</li>
    </ul>
  </>
)

const WhatStarts = ({ name }: { readonly name: ReactNode }) => (
  <p>{name} takes payments again from this moment on, with the same application key as before.</p>
)

/** The text and badge of a status; a missing status too. */
export const statusOf = ({ status }: { readonly status?: string }) => ({
  tone: status === 'active' ? ('green' as const) : ('yellow' as const),
  word: status ? capitalise(status) : 'Unknown',
})
