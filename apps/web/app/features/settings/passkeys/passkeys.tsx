import { PASSKEYS_MAX } from '@muripo/contract/constants'
import type { Passkey } from '@muripo/contract/passkeys'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { usePasskeys } from '../../../api/account.ts'
import { deletePasskey, registerPasskey } from '../../../api/passkeys.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { IconFingerprint, IconPlus } from '../../../components/icons.ts'
import { dashboardToast } from '../../../components/toast.ts'
import { Button } from '../../../components/ui/button.tsx'
import { font, row, surface } from '../../../components/ui/classes.ts'
import { type Column, DataList } from '../../../components/ui/data-list.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { useDashboardText } from '../../../lib/dashboard-text.ts'
import { knowsPasskeys, preparePasskeys } from '../../../lib/passkeys.ts'
import { withElements } from '../../../lib/sentence.tsx'
import { useFormats } from '../../../lib/use-formats.ts'
import rows from '../rows.module.css'
import { Section } from '../section.tsx'
import { type SettingsText, useSettingsText } from '../text.ts'
import { PasswordDialog, RenameDialog } from './dialogs.tsx'

type OpenDialog = { readonly kind: 'add' } | { readonly kind: 'rename' | 'remove'; readonly passkey: Passkey }

export function Passkeys() {
  const t = useSettingsText()
  const query = usePasskeys()
  const passkeys = query.data
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const columns = usePasskeyColumns(setDialog)
  return (
    <Section title={t('passkeys')} about={t('passkeysAbout')} query={query}>
      {passkeys && passkeys.length > 0 && (
        <DataList
          label={t('passkeys')}
          className={rows.passkeys}
          columns={columns}
          items={passkeys}
          keyOf={({ _id }) => _id}
        />
      )}
      <div className={`${rows.foot} ${row('wrap', 'centre', 'between', 'gap16', 'rows12')}`}>
        <p className={font('md', 'quiet')}>
          {passkeys ? footText(passkeys.length, t) : <Skeleton h={14} w={180} maw="100%" my={5} />}
        </p>
        {!passkeys && knowsPasskeys() && <Skeleton h={44} w={152} />}
        {passkeys && knowsPasskeys() && passkeys.length < PASSKEYS_MAX && (
          <Button
            kind="default"
            icon={IconPlus}
            onClick={() => {
              preparePasskeys()
              setDialog({ kind: 'add' })
            }}
          >
            {t('addPasskeyButton')}
          </Button>
        )}
      </div>
      <PasskeyDialogs dialog={dialog} onClose={() => setDialog(null)} />
    </Section>
  )
}

interface PasskeyDialogsProps {
  readonly dialog: OpenDialog | null
  readonly onClose: () => void
}

function PasskeyDialogs({ dialog, onClose }: PasskeyDialogsProps) {
  const t = useSettingsText()
  const cache = useQueryClient()
  const finish = (text: 'passkeyAdded' | 'passkeyRenamed' | 'passkeyRemoved', change: Change) => {
    onClose()
    cache.setQueryData<Passkey[]>(queryKeys.passkeys, (known) => known && change(known))
    for (const queryKey of [queryKeys.factors, queryKeys.team]) void cache.invalidateQueries({ queryKey })
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

function footText(count: number, t: SettingsText): string {
  if (!knowsPasskeys()) return t('passkeysUnsupported')
  if (count >= PASSKEYS_MAX) return t('passkeysComplete', { count: PASSKEYS_MAX })
  return t(count === 0 ? 'passkeysNone' : 'passkeysEach')
}

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

function usePasskeyColumns(onOpen: (dialog: OpenDialog) => void): readonly Column<Passkey>[] {
  const t = useSettingsText()
  const dashboard = useDashboardText()
  const { dateText } = useFormats()
  const fact = { isQuiet: true, className: rows.fact }
  return [
    {
      title: t('passkey'),
      area: 'name',
      className: `${rows.name} ${row('centre', 'gap12')} ${font('md', 'medium', 'anywhere')}`,
      cell: ({ name }) => (
        <>
          <span className={`${rows.icon} ${surface('inset', 'tinted')}`}>
            <IconFingerprint size={20} stroke={1.75} aria-hidden />
          </span>
          {name}
        </>
      ),
    },
    {
      title: t('added'),
      cardTitle: t('addedCard'),
      area: 'added',
      ...fact,
      cell: ({ createdAt }) => dateText(createdAt),
    },
    {
      title: t('lastUsed'),
      cardTitle: t('lastUsedCard'),
      area: 'last-used',
      ...fact,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? t('neverUsed') : dateText(lastUsedAt)),
    },
    {
      title: t('synced'),
      cardTitle: t('syncedCard'),
      area: 'synced',
      ...fact,
      cell: ({ synced }) => t(synced ? 'yes' : 'no'),
    },
    {
      title: dashboard('actions'),
      isTitleHidden: true,
      area: 'actions',
      className: rows.actions,
      cell: (passkey) => <PasskeyActions passkey={passkey} onOpen={onOpen} />,
    },
  ]
}

interface PasskeyActionsProps {
  readonly passkey: Passkey
  readonly onOpen: (dialog: OpenDialog) => void
}

function PasskeyActions({ passkey, onOpen }: PasskeyActionsProps) {
  const t = useSettingsText()
  const { name } = passkey
  const button = { kind: 'default', size: 'small' } as const
  return (
    <div className={`${rows.buttons} ${row('wrap', 'gap8')}`}>
      <Button
        {...button}
        aria-label={t('renameNamed', { name })}
        onClick={() => onOpen({ kind: 'rename', passkey })}
      >
        {t('rename')}
      </Button>
      <Button
        {...button}
        aria-label={t('removeNamed', { name })}
        onClick={() => onOpen({ kind: 'remove', passkey })}
      >
        {t('remove')}
      </Button>
    </div>
  )
}
