import type { Passkey } from '@muripo/contract/passkeys'
import { useQueryClient } from '@tanstack/react-query'
import { useFactorsChanged } from '../../../api/factors.ts'
import { deletePasskey, registerPasskey } from '../../../api/passkeys.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { dashboardToast } from '../../../components/toast.ts'
import { font } from '../../../components/ui/classes.ts'
import { withElements } from '../../../lib/sentence.tsx'
import { useSettingsText } from '../text.ts'
import { PasswordDialog, RenameDialog } from './dialogs.tsx'

export type OpenDialog =
  | { readonly kind: 'add' }
  | { readonly kind: 'rename' | 'remove'; readonly passkey: Passkey }

interface PasskeyDialogsProps {
  readonly dialog: OpenDialog | null
  readonly onClose: () => void
}

/** The dialogs about passkeys. Their code is loaded with the first one that is opened. */
export function PasskeyDialogs({ dialog, onClose }: PasskeyDialogsProps) {
  const t = useSettingsText()
  const cache = useQueryClient()
  const changed = useFactorsChanged()
  const finish = (text: 'passkeyAdded' | 'passkeyRenamed' | 'passkeyRemoved', change: Change) => {
    onClose()
    cache.setQueryData<Passkey[]>(queryKeys.passkeys, (known) => known && change(known))
    changed()
    dashboardToast.success(t(text))
  }
  return (
    <>
      <PasswordDialog
        opened={dialog?.kind === 'add'}
        title={t('addPasskeyButton')}
        confirm={t('continue')}
        confirming={t('waitingForDevice')}
        act={(password) => registerPasskey(password, t)}
        onDone={(passkey) => finish('passkeyAdded', (known) => [...known, passkey])}
        onClose={onClose}
      >
        <p>{t('addPasskeyAbout')}</p>
      </PasswordDialog>
      <RenameDialog
        passkey={dialog?.kind === 'rename' ? dialog.passkey : null}
        onRenamed={(passkey) =>
          finish('passkeyRenamed', (known) =>
            known.map((each) => (each._id === passkey._id ? passkey : each)),
          )
        }
        onClose={onClose}
      />
      <RemoveDialog
        passkey={dialog?.kind === 'remove' ? dialog.passkey : null}
        onRemoved={({ _id }) => finish('passkeyRemoved', (known) => known.filter((each) => each._id !== _id))}
        onClose={onClose}
      />
    </>
  )
}

type Change = (known: Passkey[]) => Passkey[]

interface RemoveDialogProps {
  readonly passkey: Passkey | null
  readonly onRemoved: (passkey: Passkey) => void
  readonly onClose: () => void
}

function RemoveDialog({ passkey, onRemoved, onClose }: RemoveDialogProps) {
  const t = useSettingsText()
  return (
    <PasswordDialog
      opened={passkey !== null}
      title={t('removePasskeyTitle')}
      confirm={t('remove')}
      confirming={t('removing')}
      danger
      act={async (password) => {
        if (passkey) await deletePasskey(passkey._id, password)
      }}
      onDone={() => passkey && onRemoved(passkey)}
      onClose={onClose}
    >
      <p>
        {withElements((values) => t('removePasskeyAbout', values), {
          name: <strong className={font('semibold', 'anywhere')}>{passkey?.name}</strong>,
        })}
      </p>
    </PasswordDialog>
  )
}
