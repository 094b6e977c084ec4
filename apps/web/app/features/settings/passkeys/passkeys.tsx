import { Button, Skeleton } from '@mantine/core'
import { PASSKEYS_MAX } from '@muripo/contract/constants'
import type { Passkey } from '@muripo/contract/passkeys'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTimeZone } from '../../../api/account.ts'
import { deletePasskey, registerPasskey, usePasskeys } from '../../../api/passkeys.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { type Column, DataList } from '../../../components/data-list.tsx'
import { useLastValue } from '../../../components/dialog.tsx'
import { IconFingerprint, IconPlus } from '../../../components/icons.ts'
import panel from '../../../components/panel.module.css'
import { dashboardToast } from '../../../components/toast.ts'
import { useDashboardText } from '../../../lib/dashboard-text.ts'
import { knowsPasskeys, preparePasskeys } from '../../../lib/passkeys.ts'
import { withElements } from '../../../lib/sentence.tsx'
import { useFormats } from '../../../lib/use-formats.ts'
import rows from '../rows.module.css'
import { Section } from '../section.tsx'
import { type SettingsText, useSettingsText } from '../text.ts'
import { PasswordDialog, RenameDialog } from './dialogs.tsx'
import styles from './passkeys.module.css'

export function Passkeys() {
  const t = useSettingsText()
  const dashboard = useDashboardText()
  const { dateText } = useFormats()
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
    dashboardToast.success(t('passkeyRemoved'))
    // The focus moves from the removed row's button.
    foot.current?.focus()
  }

  return (
    <Section
      title={t('passkeys')}
      about={t('passkeysAbout')}
      busy={!passkeys}
      error={error && !passkeys ? { error, onRetry: refetch, retrying: isFetching } : null}
    >
      {passkeys && passkeys.length > 0 && (
        <DataList
          label={t('passkeys')}
          className={rows.passkeys}
          columns={passkeyColumns({
            t,
            actionsTitle: dashboard('actions'),
            dateOf: (at) => dateText(at, timeZone),
            onRename: setRenamed,
            onRemove: setRemoved,
          })}
          items={passkeys}
          keyOf={({ _id }) => _id}
        />
      )}
      <div ref={foot} tabIndex={-1} className={rows.foot}>
        {passkeys ? <p>{footText(passkeys.length, t)}</p> : <Skeleton h={14} w="50%" />}
        {passkeys && knowsPasskeys() && passkeys.length < PASSKEYS_MAX && (
          <Button
            variant="default"
            leftSection={<IconPlus size={18} stroke={1.75} aria-hidden />}
            onClick={startAdding}
          >
            {t('addPasskeyButton')}
          </Button>
        )}
      </div>

      <PasswordDialog
        opened={adding}
        title={t('addPasskeyButton')}
        confirm={t('continue')}
        confirming={t('waitingForDevice')}
        act={(password) => registerPasskey(password, t)}
        onDone={(passkey) => {
          setAdding(false)
          change((known) => [...known, passkey])
          dashboardToast.success(t('passkeyAdded'))
        }}
        onClose={() => setAdding(false)}
      >
        <p>{t('addPasskeyAbout')}</p>
      </PasswordDialog>
      <RenameDialog
        passkey={renamed}
        onRenamed={(passkey) => {
          setRenamed(null)
          change((known) => known.map((each) => (each._id === passkey._id ? passkey : each)))
          dashboardToast.success(t('passkeyRenamed'))
        }}
        onClose={() => setRenamed(null)}
      />
      <RemoveDialog passkey={removed} onRemoved={removedOne} onClose={() => setRemoved(null)} />
    </Section>
  )
}

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
  const shown = useLastValue(passkey)
  return (
    <PasswordDialog
      opened={passkey !== null}
      title={t('removePasskeyTitle')}
      confirm={t('remove')}
      confirming={t('removing')}
      color="danger"
      act={async (password) => {
        if (shown) await deletePasskey(shown._id, password)
      }}
      onDone={() => shown && onRemoved(shown)}
      onClose={onClose}
    >
      <p>
        {withElements((values) => t('removePasskeyAbout', values), {
          name: <strong className={styles.named}>{shown?.name}</strong>,
        })}
      </p>
    </PasswordDialog>
  )
}

interface ColumnsOptions {
  readonly t: SettingsText
  readonly actionsTitle: string
  readonly dateOf: (at: string) => string
  readonly onRename: (passkey: Passkey) => void
  readonly onRemove: (passkey: Passkey) => void
}

const passkeyColumns = ({
  t,
  actionsTitle,
  dateOf,
  onRename,
  onRemove,
}: ColumnsOptions): readonly Column<Passkey>[] => [
  {
    title: t('passkey'),
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
    title: t('added'),
    cardTitle: t('addedCard'),
    area: 'added',
    isQuiet: true,
    className: rows.fact,
    cell: ({ createdAt }) => dateOf(createdAt),
  },
  {
    title: t('lastUsed'),
    cardTitle: t('lastUsedCard'),
    area: 'last-used',
    isQuiet: true,
    className: rows.fact,
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? t('neverUsed') : dateOf(lastUsedAt)),
  },
  {
    title: t('synced'),
    cardTitle: t('syncedCard'),
    area: 'synced',
    isQuiet: true,
    className: rows.fact,
    cell: ({ synced }) => t(synced ? 'yes' : 'no'),
  },
  {
    title: actionsTitle,
    isTitleHidden: true,
    area: 'actions',
    className: rows.actions,
    cell(passkey) {
      const button = { variant: 'default', size: 'sm', className: panel.rowButton ?? '' } as const
      const { name } = passkey
      return (
        <div className={rows.buttons}>
          <Button {...button} aria-label={t('renameNamed', { name })} onClick={() => onRename(passkey)}>
            {t('rename')}
          </Button>
          <Button {...button} aria-label={t('removeNamed', { name })} onClick={() => onRemove(passkey)}>
            {t('remove')}
          </Button>
        </div>
      )
    },
  },
]
