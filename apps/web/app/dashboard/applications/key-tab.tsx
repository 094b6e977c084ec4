import { Button, Group, Modal } from '@mantine/core'
import type { Application } from '@muripo/contract/applications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CopyButton } from '../../ui/copy-button.tsx'
import { IconAlertTriangle, IconKey } from '../../ui/icons.ts'
import { dashboardToast } from '../../ui/toast.ts'
import styles from './applications.module.css'
import { applicationKey, regenerate } from './applications-api.ts'

export function KeyTab({ application }: { readonly application: Application }) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <dl className={styles.facts}>
        <div>
          <dt>Application Key</dt>
          <dd className={styles.key}>
            <code>{application.applicationKey}</code>
            <CopyButton text={application.applicationKey} what="application key" />
          </dd>
        </div>
      </dl>
      <div className={styles.note} style={{ marginTop: 20 }}>
        <IconAlertTriangle size={20} stroke={1.75} aria-hidden />
        <p>
          Regenerating immediately invalidates the current key. Every integration that uses it must be updated
          with the new one.
        </p>
      </div>
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

interface RegenerateDialogProps {
  readonly application: Application
  readonly opened: boolean
  readonly onClose: () => void
}

function RegenerateDialog({ application, opened, onClose }: RegenerateDialogProps) {
  const cache = useQueryClient()
  const regeneration = useMutation({
    mutationFn: () => regenerate(application._id),
    onSuccess: (newKey) => {
      cache.setQueryData<Application>(
        applicationKey(application._id),
        (known) => known && { ...known, applicationKey: newKey },
      )
      dashboardToast.success('Application key regenerated successfully!')
      onClose()
    },
    onError: (error) => dashboardToast.error(error.message),
  })
  const running = regeneration.isPending
  return (
    <Modal
      opened={opened}
      onClose={() => running || onClose()}
      title="Regenerate Application Key"
      size={480}
      withCloseButton={!running}
      closeOnEscape={!running}
      closeOnClickOutside={!running}
    >
      <p className={styles.cardText}>This action cannot be undone</p>
      <div className={styles.note} style={{ marginTop: 16 }}>
        <IconAlertTriangle size={20} stroke={1.75} aria-hidden />
        <p>Integrations that use the old key stop working the moment the new one is made.</p>
      </div>
      <Group justify="flex-end" mt={24}>
        <Button variant="default" onClick={onClose} disabled={running}>
          Cancel
        </Button>
        <Button color="danger" onClick={() => regeneration.mutate()} disabled={running}>
          {running ? 'Regenerating...' : 'Regenerate Key'}
        </Button>
      </Group>
    </Modal>
  )
}
