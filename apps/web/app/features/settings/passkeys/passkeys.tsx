import { PASSKEYS_MAX } from '@muripo/contract/constants'
import type { Passkey } from '@muripo/contract/passkeys'
import { useState } from 'react'
import { usePasskeys } from '../../../api/account.ts'
import { IconFingerprint, IconPlus } from '../../../components/icons.ts'
import { dashboardToast } from '../../../components/toast.ts'
import { Button } from '../../../components/ui/button.tsx'
import { font, row, surface } from '../../../components/ui/classes.ts'
import { type Column, DataList } from '../../../components/ui/data-list.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { useDashboardText } from '../../../lib/dashboard-text.ts'
import { useLazyModule } from '../../../lib/lazy.ts'
import { useCommonText } from '../../../lib/page-text.ts'
import { knowsPasskeys, preparePasskeys } from '../../../lib/passkeys.ts'
import { useFormats } from '../../../lib/use-formats.ts'
import rows from '../rows.module.css'
import { Section } from '../section.tsx'
import { type SettingsText, useSettingsText } from '../text.ts'
import type { OpenDialog } from './passkey-dialogs.tsx'

export function Passkeys() {
  const t = useSettingsText()
  const query = usePasskeys()
  const passkeys = query.data
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const common = useCommonText()
  const { module: dialogs, load } = useLazyModule(() => import('./passkey-dialogs.tsx'))
  const open = async (next: OpenDialog) => {
    if (await load()) setDialog(next)
    else dashboardToast.error(common('checkConnection'))
  }
  const columns = usePasskeyColumns((next) => void open(next))
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
              void open({ kind: 'add' })
            }}
          >
            {t('addPasskeyButton')}
          </Button>
        )}
      </div>
      {dialogs && <dialogs.PasskeyDialogs dialog={dialog} onClose={() => setDialog(null)} />}
    </Section>
  )
}

function footText(count: number, t: SettingsText): string {
  if (!knowsPasskeys()) return t('passkeysUnsupported')
  if (count >= PASSKEYS_MAX) return t('passkeysComplete', { count: PASSKEYS_MAX })
  return t(count === 0 ? 'passkeysNone' : 'passkeysEach')
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
