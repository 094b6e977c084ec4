import { type ReactNode, useEffect, useState } from 'react'
import { loadModule } from '../../lib/lazy.ts'
import { askBy } from '../../session/step-up.ts'

/** The place of the question who the person is. Its code is loaded when it is asked. */
export function StepUp() {
  const [dialog, show] = useState<ReactNode>(null)
  useEffect(
    () =>
      askBy(async () => {
        const module = await loadModule(() => import('./step-up-dialog.tsx'), { mayReload: false })
        return module ? module.ask(show) : false
      }),
    [],
  )
  return dialog
}
