import { Button, Skeleton } from '@mantine/core'
import { PASSKEYS_MAX } from '@muripo/contract/constants'
import type { Passkey } from '@muripo/contract/passkeys'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTimeZone } from '../../../api/account.ts'
import { deletePasskey, registerPasskey, usePasskeys } from '../../../api/passkeys.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { type Column, DataList } from '../../../components/data-list.tsx'
import { IconFingerprint, IconPlus } from '../../../components/icons.ts'
import panel from '../../../components/panel.module.css'
import { dashboardToast } from '../../../components/toast.ts'
import { dateText } from '../../../lib/format.ts'
import { knowsPasskeys, preparePasskeys } from '../../../lib/passkeys.ts'
import rows from '../rows.module.css'
import { Section } from '../section.tsx'
import { PasswordDialog, RenameDialog } from './dialogs.tsx'
import styles from './passkeys.module.css'

export function Passkeys() {
  const cache = useQueryClient()
  const { data: passkeys, error, isFetching, refetch } = usePasskeys()
  const timeZone = useTimeZone()
  const [adding, setAdding] = useState(false)
  const [renamed, setRenamed] = useState<Passkey | null>(null)
  const [removed, setRemoved] = useState<Passkey | null>(null)
  const foot = useRef<HTMLDivElement>(null)
  const change = (by: (known: Passkey[]) => Passkey[]) =>
    cache.setQueryData<Passkey[]>(queryKeys.passkeys, (known) => known && by(known))

  const startAdding = () => {
    preparePasskeys()
    setAdding(true)
  }
  const removedOne = (passkey: Passkey) => {
    setRemoved(null)
    change((known) => known.filter(({ _id }) => _id !== passkey._id))
    dashboardToast.success('Passkey removed')
    // The focus moves from the removed row's button.
    foot.current?.focus()
  }

  return (
    <Section
      title="Passkeys"
      about="Sign in with your fingerprint, face or PIN in place of the code that we mail you. Your password is asked for as before."
      busy={!passkeys}
      error={error && !passkeys ? { error, onRetry: refetch, retrying: isFetching } : null}
    >
      {passkeys && passkeys.length > 0 && (
        <DataList
          label="Passkeys"
          className={rows.passkeys}
          columns={passkeyColumns(timeZone, { onRename: setRenamed, onRemove: setRemoved })}
          items={passkeys}
          keyOf={({ _id }) => _id}
        />
      )}
      <div ref={foot} tabIndex={-1} className={rows.foot}>
        {passkeys ? <p>{footText(passkeys.length)}</p> : <Skeleton h={14} w="50%" />}
        {passkeys && knowsPasskeys() && passkeys.length < PASSKEYS_MAX && (
          <Button
            variant="default"
            leftSection={<IconPlus size={18} stroke={1.75} aria-hidden />}
            onClick={startAdding}
          >
            Add a Passkey
          </Button>
        )}
      </div>

      <PasswordDialog
        opened={adding}
        title="Add a Passkey"
        confirm="Continue"
        confirming="Waiting for your device..."
        act={registerPasskey}
        onDone={(passkey) => {
          setAdding(false)
          change((known) => [...known, passkey])
          dashboardToast.success('Passkey added')
        }}
        onClose={() => setAdding(false)}
      >
        <p>
          Your device will ask for your fingerprint, face or PIN. First give your password, so that nobody
          else can add a passkey here.
        </p>
      </PasswordDialog>
      <RenameDialog
        passkey={renamed}
        onRenamed={(passkey) => {
          setRenamed(null)
          change((known) => known.map((each) => (each._id === passkey._id ? passkey : each)))
          dashboardToast.success('Passkey renamed')
        }}
        onClose={() => setRenamed(null)}
      />
      <RemoveDialog passkey={removed} onRemoved={removedOne} onClose={() => setRemoved(null)} />
    </Section>
  )
}

function footText(count: number): string {
  if (!knowsPasskeys()) return 'This browser cannot make passkeys.'
  if (count >= PASSKEYS_MAX)
    return `You have ${PASSKEYS_MAX} passkeys, which is as many as an account can have.`
  return count === 0 ? 'You have no passkey yet.' : 'Each device or security key can have its own.'
}

interface RemoveDialogProps {
  readonly passkey: Passkey | null
  readonly onRemoved: (passkey: Passkey) => void
  readonly onClose: () => void
}

function RemoveDialog({ passkey, onRemoved, onClose }: RemoveDialogProps) {
  // The name stays in the dialog while it fades out.
  const [shown, setShown] = useState(passkey)
  if (passkey && passkey !== shown) setShown(passkey)
  return (
    <PasswordDialog
      opened={passkey !== null}
      title="Remove Passkey"
      confirm="Remove"
      confirming="Removing..."
      color="danger"
      act={async (password) => {
        if (shown) await deletePasskey(shown._id, password)
      }}
      onDone={() => shown && onRemoved(shown)}
      onClose={onClose}
    >
      <p>
        <strong className={styles.named}>{shown?.name}</strong> can then no longer be used to sign in. The
        code that we mail you still can. Your device keeps its half until you delete it there.
      </p>
    </PasswordDialog>
  )
}

interface Actions {
  readonly onRename: (passkey: Passkey) => void
  readonly onRemove: (passkey: Passkey) => void
}

const passkeyColumns = (
  timeZone: string | undefined,
  { onRename, onRemove }: Actions,
): readonly Column<Passkey>[] => [
  {
    title: 'Passkey',
    area: 'name',
    className: rows.name,
    cell: ({ name }) => (
      <>
        <span className={rows.icon}>
          <IconFingerprint size={20} stroke={1.75} aria-hidden />
        </span>
        {name}
      </>
    ),
  },
  {
    title: 'Added',
    cardTitle: 'Added',
    area: 'added',
    isQuiet: true,
    className: rows.fact,
    cell: ({ createdAt }) => dateText(createdAt, timeZone),
  },
  {
    title: 'Last used',
    cardTitle: 'Last used',
    area: 'last-used',
    isQuiet: true,
    className: rows.fact,
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : dateText(lastUsedAt, timeZone)),
  },
  {
    title: 'Synced',
    cardTitle: 'Synced across your devices:',
    area: 'synced',
    isQuiet: true,
    className: rows.fact,
    cell: ({ synced }) => (synced ? 'Yes' : 'No'),
  },
  {
    title: 'Actions',
    isTitleHidden: true,
    area: 'actions',
    className: rows.actions,
    cell(passkey) {
      const button = { variant: 'default', size: 'sm', className: panel.rowButton ?? '' } as const
      return (
        <div className={rows.buttons}>
          <Button {...button} aria-label={`Rename ${passkey.name}`} onClick={() => onRename(passkey)}>
            Rename
          </Button>
          <Button {...button} aria-label={`Remove ${passkey.name}`} onClick={() => onRemove(passkey)}>
            Remove
          </Button>
        </div>
      )
    },
  },
]
