import type { Application } from '@muripo/contract/applications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { setApplicationInCache, updateApplicationStatus } from '../../api/applications.ts'
import { useErrorToast } from '../../components/error-toast.ts'
import { dashboardToast } from '../../components/toast.ts'
import { font, grid } from '../../components/ui/classes.ts'
import { Confirm } from '../../components/ui/confirm.tsx'
import { capitalise } from '../../lib/format.ts'
import { withElements } from '../../lib/sentence.tsx'
import styles from './dialogs.module.css'
import { type ApplicationsText, useApplicationsText } from './text.ts'

interface StatusDialogProps {
  /** The application whose status may change; null while the dialog is closed. */
  readonly application: Application | null
  readonly onClose: () => void
}

/** Asks before an application is deactivated or activated, and explains the effect. */
export function StatusDialog({ application, onClose }: StatusDialogProps) {
  const t = useApplicationsText()
  const toastError = useErrorToast()
  const cache = useQueryClient()
  const change = useMutation({
    mutationFn: ({ _id, status }: Application) =>
      updateApplicationStatus(_id, status === 'active' ? 'inactive' : 'active'),
    onSuccess: (changed) => {
      onClose()
      setApplicationInCache(cache, changed)
      dashboardToast.success(t(changed.status === 'active' ? 'activated' : 'deactivated'))
    },
    onError: toastError,
  })
  const stops = application?.status === 'active'
  const name = <strong className={font('semibold', 'anywhere')}>{application?.applicationName}</strong>
  return (
    <Confirm
      opened={application !== null}
      title={t(stops ? 'deactivateTitle' : 'activateTitle')}
      verb={t(stops ? 'deactivate' : 'activate')}
      working={t(stops ? 'deactivating' : 'activating')}
      running={change.isPending}
      danger={stops}
      onConfirm={() => application && change.mutate(application)}
      onClose={onClose}
    >
      <p>{withElements((values) => t(stops ? 'deactivateEffect' : 'activateEffect', values), { name })}</p>
      {stops && (
        <ul className={`${styles.consequences} ${grid('gap8')}`}>
          <li>{t('deactivateKey')}</li>
          <li>{t('deactivateLinks')}</li>
          <li>{t('deactivateUndo')}</li>
        </ul>
      )}
    </Confirm>
  )
}

/** The text and badge of a status; a missing status too. */
export const applicationStatus = ({ status }: { readonly status?: string }, t: ApplicationsText) => ({
  tone: status === 'active' ? ('green' as const) : ('yellow' as const),
  word: statusWord(status, t),
})

function statusWord(status: string | undefined, t: ApplicationsText): string {
  if (status === 'active') return t('applicationActive')
  if (status === 'inactive') return t('applicationInactive')
  return status ? capitalise(status) : t('applicationStatusUnknown')
}
