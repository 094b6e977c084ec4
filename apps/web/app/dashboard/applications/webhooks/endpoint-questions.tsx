import { useMutation } from '@tanstack/react-query'
import { AskDialog } from '../../../ui/ask-dialog.tsx'
import { dashboardToast } from '../../../ui/toast.ts'
import { sayFailure } from '../../say-failure.ts'
import dialogs from '../dialogs.module.css'
import { Note } from '../note.tsx'
import { type NewSecret, type Of, remove, rotate } from './webhooks-api.ts'

interface QuestionProps {
  readonly of: Of
  readonly opened: boolean
  readonly onClose: () => void
}

export function RotateDialog({
  of,
  opened,
  onClose,
  onRotated,
}: QuestionProps & { readonly onRotated: (secret: NewSecret) => void }) {
  const rotation = useMutation({ mutationFn: () => rotate(of), onSuccess: onRotated, onError: sayFailure })
  return (
    <AskDialog
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
    </AskDialog>
  )
}

export function DeleteDialog({
  of,
  url,
  opened,
  onClose,
  onDeleted,
}: QuestionProps & { readonly url: string; readonly onDeleted: () => void }) {
  const deletion = useMutation({
    mutationFn: () => remove(of),
    onSuccess: () => {
      dashboardToast.success('Endpoint deleted')
      onDeleted()
    },
    onError: sayFailure,
  })
  return (
    <AskDialog
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
    </AskDialog>
  )
}
