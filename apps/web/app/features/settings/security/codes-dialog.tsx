import { Button } from '../../../components/ui/button.tsx'
import { font, row, stack } from '../../../components/ui/classes.ts'
import { CopyButton } from '../../../components/ui/copy-button.tsx'
import { Dialog, DialogFoot } from '../../../components/ui/dialog.tsx'
import styles from './security.module.css'
import { useSecurityText } from './text.ts'

interface CodesDialogProps {
  /** Null while the dialog is closed. */
  readonly codes: readonly string[] | null
  readonly onClose: () => void
}

/** Recovery codes, which nothing shows again: only a button closes the dialog. */
export function CodesDialog({ codes, onClose }: CodesDialogProps) {
  const t = useSecurityText()
  return (
    <Dialog opened={codes !== null} onClose={onClose} title={t('codesTitle')} closesBy="button">
      {codes && (
        <>
          <div className={stack('gap16')}>
            <p className={font('quiet')}>{t('codesOnce')}</p>
            <ul className={`${styles.codes} list ${font('mono')}`} aria-label={t('recoveryCodes')}>
              {codes.map((code) => (
                <li key={code}>{code}</li>
              ))}
            </ul>
            <div className={row('wrap', 'gap8')}>
              <CopyButton text={codes.join('\n')} what={t('recoveryCodes')} label={t('copyCodes')} />
              <Button kind="default" onClick={() => window.print()}>
                {t('printCodes')}
              </Button>
            </div>
          </div>
          <DialogFoot>
            <Button onClick={onClose}>{t('codesKept')}</Button>
          </DialogFoot>
        </>
      )}
    </Dialog>
  )
}
