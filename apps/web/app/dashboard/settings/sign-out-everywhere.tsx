import { useMutation } from '@tanstack/react-query'
import { session } from '../../lib/session/session.ts'
import { AskDialog } from '../../ui/ask-dialog.tsx'
import { sayFailure } from '../say-failure.ts'
import { endAll } from './settings-api.ts'

interface SignOutEverywhereProps {
  readonly opened: boolean
  readonly onClose: () => void
}

export function SignOutEverywhere({ opened, onClose }: SignOutEverywhereProps) {
  const leaving = useMutation({
    mutationFn: endAll,
    onSuccess: () => session.logOut('everywhere'),
    onError: sayFailure,
  })
  return (
    <AskDialog
      opened={opened}
      title="Sign out everywhere?"
      confirm="Sign Out Everywhere"
      confirming="Signing out..."
      running={leaving.isPending}
      color="danger"
      onConfirm={() => leaving.mutate()}
      onClose={onClose}
    >
      <p>
        Every device that is signed in to your account is signed out at once, and so are you here. Payments go
        on as before: your applications, their keys and their webhook endpoints stay as they are.
      </p>
    </AskDialog>
  )
}
