import { useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { font, place } from '../../components/ui/classes.ts'
import { useConsoleMay } from './api.ts'
import { useConsoleDates } from './dates.ts'
import { ReasonDialog } from './decisions/reason-dialog.tsx'
import { IconEye } from './icons.ts'
import { revealData, useChange } from './queries.ts'
import { useConsoleText } from './text.ts'

interface RevealProps {
  /** The id of a merchant or of a payment. */
  readonly subject: string
  readonly revealedUntil: string | null
}

/** The button that makes the personal data visible, or the time until which it is. */
export function Reveal({ subject, revealedUntil }: RevealProps) {
  const t = useConsoleText()
  const dates = useConsoleDates()
  const [isOpen, setOpen] = useState(false)
  const mayReveal = useConsoleMay('console.reveal')
  const reveal = useChange(
    (reason: string) => revealData({ subject, reason }),
    () => setOpen(false),
  )
  if (revealedUntil !== null)
    return (
      <p className={font('sm', 'quiet', 'above16')}>
        {t('revealedUntil', { time: dates.clock(Date.parse(revealedUntil)) })}
      </p>
    )
  return (
    mayReveal && (
      <div className={place('above16')}>
        <Button kind="default" icon={IconEye} aria-haspopup="dialog" onClick={() => setOpen(true)}>
          {t('reveal')}
        </Button>
        <ReasonDialog
          opened={isOpen}
          title={t('reveal')}
          text={t('revealText')}
          help={t('revealHelp')}
          verb={t('revealDo')}
          running={reveal.isPending}
          error={reveal.error}
          onClose={() => setOpen(false)}
          onReason={(reason) => reveal.mutate(reason)}
        />
      </div>
    )
  )
}
