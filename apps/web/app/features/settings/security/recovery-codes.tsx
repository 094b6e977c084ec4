import { useState } from 'react'
import { newRecoveryCodes, useFactorsChanged } from '../../../api/factors.ts'
import { Button } from '../../../components/ui/button.tsx'
import { font, row } from '../../../components/ui/classes.ts'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { PasswordDialog } from '../passkeys/dialogs.tsx'
import rows from '../rows.module.css'
import { Section } from '../section.tsx'
import { useSettingsText } from '../text.ts'
import type { FactorProps } from './authenticator.tsx'
import { useSecurityText } from './text.ts'

export function RecoveryCodes({ query, onCodes }: FactorProps) {
  const t = useSecurityText()
  const settings = useSettingsText()
  const changed = useFactorsChanged()
  const [isAsking, setAsking] = useState(false)
  const factors = query.data
  return (
    <Section title={t('recoveryCodes')} about={t('recoveryCodesAbout')} query={query}>
      <div className={`${rows.foot} ${row('wrap', 'centre', 'between', 'gap16', 'rows12')}`}>
        <p className={font('md', 'quiet')}>
          {factors === undefined && <Skeleton h={14} w={180} maw="100%" my={5} />}
          {factors &&
            (factors.totp
              ? t('recoveryCodesLeft', { count: factors.recoveryCodesLeft })
              : t('recoveryCodesNone'))}
        </p>
        {factors?.totp && (
          <Button kind="default" aria-haspopup="dialog" onClick={() => setAsking(true)}>
            {t('newCodesButton')}
          </Button>
        )}
      </div>
      <PasswordDialog
        opened={isAsking}
        title={t('newCodesButton')}
        confirm={settings('continue')}
        confirming={t('makingCodes')}
        act={newRecoveryCodes}
        onDone={(codes) => {
          setAsking(false)
          onCodes(codes)
          changed()
        }}
        onClose={() => setAsking(false)}
      >
        <p>{t('newCodesAbout')}</p>
      </PasswordDialog>
    </Section>
  )
}
