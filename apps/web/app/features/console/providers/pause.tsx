import type { ConsoleProvider } from '@muripo/contract/console-operation'
import { useState } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { useDecider } from '../decisions/kinds.ts'
import { ReasonDialog } from '../decisions/reason-dialog.tsx'
import { useProposal } from '../decisions/use-proposal.ts'
import { useConsoleText } from '../text.ts'

/** Pauses at once, since a delay harms payers; the way back is a proposal. */
export function Pause({ provider: { id, name, state } }: { readonly provider: ConsoleProvider }) {
  const t = useConsoleText()
  const { decides, isAlone } = useDecider()
  const [isOpen, setOpen] = useState(false)
  const [times, setTimes] = useState(0)
  const change = useProposal(() => {
    setOpen(false)
    setTimes(times + 1)
  })
  const isPaused = state === 'disabled'
  const kind = isPaused ? 'provider.enable' : 'provider.disable'
  if (state === 'absent' || !decides(kind)) return null
  const title = t(isPaused ? 'providersResumeOf' : 'providersPauseOf', { name })
  return (
    <>
      <Button kind="default" aria-haspopup="dialog" aria-label={title} onClick={() => setOpen(true)}>
        {t(isPaused ? 'providersResume' : 'providersPause')}
      </Button>
      <ReasonDialog
        key={times}
        opened={isOpen}
        title={title}
        text={t(isPaused ? 'providersResumeText' : 'providersPauseText')}
        help={t(isAlone(kind) ? 'reasonAlone' : 'reasonForSecond')}
        verb={isAlone(kind) ? title : t('proposeDo')}
        danger={!isPaused}
        running={change.isPending}
        error={change.error}
        onClose={() => setOpen(false)}
        onReason={(reason) => change.mutate({ kind, subject: id, reason })}
      />
    </>
  )
}
