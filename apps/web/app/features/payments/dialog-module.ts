import { useEffect, useRef } from 'react'
import { dashboardToast } from '../../components/toast.ts'
import { useLazyModule } from '../../lib/lazy.ts'
import { useCommonText } from '../../lib/page-text.ts'

interface DialogState {
  readonly isOpen: boolean
  /** Whether the code is loaded in advance. */
  readonly isExpected?: boolean
  readonly close: () => void
}

/** The code of a dialog, null until it is loaded. An open dialog whose code cannot be loaded closes. */
export function useDialogModule<T>(
  fetchModule: () => Promise<T>,
  { isOpen, isExpected = false, close }: DialogState,
): T | null {
  const common = useCommonText()
  const { module, load } = useLazyModule(fetchModule)
  const latest = useRef({ load, close })
  useEffect(() => {
    latest.current = { load, close }
  })
  const isNeeded = module === null && (isOpen || isExpected)
  useEffect(() => {
    if (!isNeeded) return
    void latest.current.load().then((loaded) => {
      if (loaded || !isOpen) return
      latest.current.close()
      dashboardToast.error(common('checkConnection'))
    })
  }, [isNeeded, isOpen, common])
  return module
}
