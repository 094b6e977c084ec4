import { useFormats } from '../../lib/use-formats.ts'
import { useConsoleText } from './text.ts'

interface Said {
  readonly provider: string
  readonly providerStatus: string | null
}

/** Returns what a provider said, as a sentence. */
export function useSays(): (said: Said) => string {
  const t = useConsoleText()
  const { methodLabel } = useFormats()
  return ({ provider: id, providerStatus: status }) => {
    const provider = methodLabel(id)
    return status === null ? t('reviewsSilent', { provider }) : t('reviewsSays', { provider, status })
  }
}
