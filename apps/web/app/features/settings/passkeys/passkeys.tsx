import { Button, Skeleton } from '@mantine/core'
import { PASSKEYS_MAX } from '@muripo/contract/constants'
import type { Passkey } from '@muripo/contract/passkeys'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTimeZone } from '../../../api/account.ts'
import { deletePasskey, registerPasskey, usePasskeys } from '../../../api/passkeys.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { IconFingerprint, IconPlus } from '../../../components/icons.ts'
import panel from '../../../components/panel.module.css'
import { dashboardToast } from '../../../components/toast.ts'
import { dateText } from '../../../lib/format.ts'
import { knowsPasskeys, preparePasskeys } from '../../../lib/passkeys.ts'
import rows from '../rows.module.css'
import { Section } from '../section.tsx'
import styles from './passkeys.module.css'
import { PasswordDialog } from './password-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'

export function Passkeys() {
  const cache = useQueryClient()
  const { data: passkeys, error, isFetching, refetch } = usePasskeys()
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
      error={error && !passkeys ? { text: error.message, onRetry: refetch, retrying: isFetching } : null}
    >
      <ul className={rows.list} hidden={!passkeys?.length}>
        {passkeys?.map((passkey) => (
          <PasskeyRow key={passkey._id} passkey={passkey} onRename={setRenamed} onRemove={setRemoved} />
        ))}
      </ul>
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
  // The question stays on the dialog while it fades out.
  const [asked, setAsked] = useState(passkey)
  if (passkey && passkey !== asked) setAsked(passkey)
  return (
    <PasswordDialog
      opened={passkey !== null}
      title="Remove Passkey"
      confirm="Remove"
      confirming="Removing..."
      color="danger"
      act={async (password) => {
        if (asked) await deletePasskey(asked._id, password)
      }}
      onDone={() => asked && onRemoved(asked)}
      onClose={onClose}
    >
      <p>
        <strong className={styles.named}>{asked?.name}</strong> can then no longer be used to sign in. The
        code that we mail you still can. Your device keeps its half until you delete it there.
      </p>
    </PasswordDialog>
  )
}

interface PasskeyRowProps {
  readonly passkey: Passkey
  readonly onRename: (passkey: Passkey) => void
  readonly onRemove: (passkey: Passkey) => void
}

export function PasskeyRow({ passkey, onRename, onRemove }: PasskeyRowProps) {
  const { name, synced, createdAt, lastUsedAt } = passkey
  const timeZone = useTimeZone()
  const facts = [
    `Added ${dateText(createdAt, timeZone)}`,
    lastUsedAt === null ? 'Never used' : `Last used ${dateText(lastUsedAt, timeZone)}`,
    ...(synced ? ['Synced across your devices'] : []),
  ]
  const button = panel.rowButton ?? ''
  return (
    <li className={rows.row}>
      <span className={rows.icon}>
        <IconFingerprint size={20} stroke={1.75} aria-hidden />
      </span>
      <div className={rows.words}>
        <p className={rows.name}>{name}</p>
        <p className={rows.facts}>{facts.join(' · ')}</p>
      </div>
      <div className={rows.actions}>
        <Button
          variant="default"
          size="sm"
          className={button}
          aria-label={`Rename ${name}`}
          onClick={() => onRename(passkey)}
        >
          Rename
        </Button>
        <Button
          variant="default"
          size="sm"
          className={button}
          aria-label={`Remove ${name}`}
          onClick={() => onRemove(passkey)}
        >
          Remove
        </Button>
      </div>
    </li>
  )
}
