import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { loadModule } from '../../lib/lazy.ts'
import { askBy } from '../../session/step-up.ts'

type Answer = (isConfirmed: boolean) => void

/** The question who the person is, before a call that moves money or trust. Its code is loaded when it is asked. */
export function StepUp() {
  const [dialog, setDialog] = useState<typeof import('./step-up-dialog.tsx') | null>(null)
  const [isOpen, setOpen] = useState(false)
  const answer = useRef<Answer>(undefined)
  const settle: Answer = (isConfirmed) => {
    setOpen(false)
    answer.current?.(isConfirmed)
    answer.current = undefined
  }
  const ask = useEffectEvent(async () => {
    const module = await loadModule(() => import('./step-up-dialog.tsx'), { mayReload: false })
    if (module === null) return false
    setDialog(module)
    setOpen(true)
    return new Promise<boolean>((resolve) => {
      answer.current = resolve
    })
  })
  const leave = useEffectEvent(() => answer.current?.(false))
  useEffect(() => {
    const stop = askBy(() => ask())
    return () => {
      stop()
      leave()
    }
  }, [])
  return dialog && <dialog.StepUpDialog opened={isOpen} onAnswer={settle} />
}
