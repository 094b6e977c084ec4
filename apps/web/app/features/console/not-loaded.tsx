import { LoadError } from '../../components/ui/empty-state.tsx'
import { useConsoleText } from './text.ts'

/** In place of a page whose code could not be loaded. The browser may keep the failure until the document is loaded again. */
export function NotLoaded() {
  const t = useConsoleText()
  return (
    <LoadError onRetry={() => window.location.reload()} retrying={false}>
      {t('consoleNotLoaded')}
    </LoadError>
  )
}
