import { useState } from 'react'
import {
  deleteTotp,
  type Factors,
  type ShownTotp,
  showTotp,
  useFactorsChanged,
} from '../../../api/factors.ts'
import { IconDeviceMobile } from '../../../components/icons.ts'
import { dashboardToast } from '../../../components/toast.ts'
import { Button } from '../../../components/ui/button.tsx'
import { font, row } from '../../../components/ui/classes.ts'
import type { QueryState } from '../../../components/ui/empty-state.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { useFormats } from '../../../lib/use-formats.ts'
import { PasswordDialog } from '../passkeys/dialogs.tsx'
import rows from '../rows.module.css'
import { Section } from '../section.tsx'
import { useSettingsText } from '../text.ts'
import { AppDialog } from './app-dialog.tsx'
import { useSecurityText } from './text.ts'

export interface FactorProps {
  readonly query: QueryState & { readonly data: Factors | undefined }
  /** Receives new recovery codes, to be shown once. */
  readonly onCodes: (codes: readonly string[]) => void
}

export function Authenticator({ query, onCodes }: FactorProps) {
  const t = useSecurityText()
  const settings = useSettingsText()
  const { dateText } = useFormats()
  const changed = useFactorsChanged()
  const [dialog, setDialog] = useState<'add' | 'remove' | null>(null)
  const [shown, setShown] = useState<ShownTotp | null>(null)
  const close = () => setDialog(null)
  const factors = query.data
  const totp = factors?.totp ?? null
  return (
    <Section title={t('authenticator')} about={t('authenticatorAbout')} query={query}>
      <div className={`${rows.foot} ${row('wrap', 'centre', 'between', 'gap16', 'rows12')}`}>
        <p className={font('md', totp ? 'medium' : 'quiet')}>
          {factors === undefined && <Skeleton h={14} w={180} maw="100%" my={5} />}
          {factors &&
            (totp ? t('authenticatorSince', { date: dateText(totp.enabledAt) }) : t('authenticatorNone'))}
        </p>
        {factors === undefined && <Skeleton h={44} w={128} />}
        {factors && (
          <Button
            kind="default"
            icon={totp ? undefined : IconDeviceMobile}
            aria-haspopup="dialog"
            onClick={() => setDialog(totp ? 'remove' : 'add')}
          >
            {t(totp ? 'removeAppButton' : 'addAppButton')}
          </Button>
        )}
      </div>
      <PasswordDialog
        opened={dialog === 'add'}
        title={t('addAppButton')}
        confirm={settings('continue')}
        confirming={t('loadingSecret')}
        act={showTotp}
        onDone={(next) => {
          close()
          setShown(next)
        }}
        onClose={close}
      >
        <p>{t('addAppAbout')}</p>
      </PasswordDialog>
      <AppDialog
        shown={shown}
        onAdded={(codes) => {
          setShown(null)
          onCodes(codes)
          dashboardToast.success(t('appAdded'))
          changed()
        }}
        onClose={() => setShown(null)}
      />
      <PasswordDialog
        opened={dialog === 'remove'}
        title={t('removeAppTitle')}
        confirm={t('removeAppButton')}
        confirming={t('removingApp')}
        danger
        act={deleteTotp}
        onDone={() => {
          close()
          dashboardToast.success(t('appRemoved'))
          changed()
        }}
        onClose={close}
      >
        <p>{t('removeAppAbout')}</p>
      </PasswordDialog>
    </Section>
  )
}
