import { Button, Group, Modal } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { EndpointRef } from '../../../api/query-keys.ts'
import { deleteEndpoint, type NewSecret, rotateEndpointSecret } from '../../../api/webhooks.ts'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import facts from '../../../components/description-list.module.css'
import { Fact, Facts } from '../../../components/description-list.tsx'
import dialogs from '../../../components/dialogs.module.css'
import { Note } from '../../../components/note.tsx'
import { dashboardToast, toastError } from '../../../components/toast.ts'

interface SecretDialogProps {
  readonly made: NewSecret | null
  readonly onClose: () => void
}

/** The one time that a secret is shown. */
export function SecretDialog({ made, onClose }: SecretDialogProps) {
  // The dialog keeps its content while it fades.
  const [shown, setShown] = useState(made)
  if (made && made !== shown) setShown(made)
  return (
    <Modal
      opened={made !== null}
      onClose={onClose}
      title="Signing Secret"
      size={560}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <p>Your server checks with it that an event is from us. Keep it where you keep your application key.</p>
      <Facts>
        <Fact name="Signing secret">
          <span className={facts.key}>
            <code>{shown?.secret}</code>
            <CopyButton text={shown?.secret ?? ''} what="signing secret" />
          </span>
        </Fact>
      </Facts>
      <Note>It is shown this once. If you lose it, rotate the secret.</Note>
      <Group justify="flex-end" mt={24}>
        <Button onClick={onClose}>I have kept it</Button>
      </Group>
    </Modal>
  )
}

interface EndpointConfirmationProps {
  readonly endpoint: EndpointRef
  readonly opened: boolean
  readonly onClose: () => void
}

export function RotateDialog({
  endpoint,
  opened,
  onClose,
  onRotated,
}: EndpointConfirmationProps & { readonly onRotated: (secret: NewSecret) => void }) {
  const rotation = useMutation({
    mutationFn: () => rotateEndpointSecret(endpoint),
    onSuccess: onRotated,
    onError: toastError,
  })
  return (
    <ConfirmDialog
      opened={opened}
      title="Rotate Secret"
      confirm="Rotate Secret"
      confirming="Rotating..."
      running={rotation.isPending}
      onConfirm={() => rotation.mutate()}
      onClose={onClose}
    >
      <p>
        Every delivery is signed with a new secret from now on. For 24 hours the present one signs beside it,
        so that you can change over without losing an event.
      </p>
    </ConfirmDialog>
  )
}

export function DeleteDialog({
  endpoint,
  url,
  opened,
  onClose,
  onDeleted,
}: EndpointConfirmationProps & { readonly url: string; readonly onDeleted: () => void }) {
  const deletion = useMutation({
    mutationFn: () => deleteEndpoint(endpoint),
    onSuccess: () => {
      dashboardToast.success('Endpoint deleted')
      onDeleted()
    },
    onError: toastError,
  })
  return (
    <ConfirmDialog
      opened={opened}
      title="Delete Endpoint"
      confirm="Delete"
      confirming="Deleting..."
      running={deletion.isPending}
      color="danger"
      onConfirm={() => deletion.mutate()}
      onClose={onClose}
    >
      <p>
        Nothing more is sent to <strong className={dialogs.named}>{url}</strong>, not even what is waiting.
      </p>
      <Note>Its secret and its log are gone. This action cannot be undone.</Note>
    </ConfirmDialog>
  )
}
