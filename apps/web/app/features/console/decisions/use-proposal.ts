import { toast } from '../../../components/toast.ts'
import { propose, useChange } from '../queries.ts'
import { useConsoleText } from '../text.ts'

/** Proposes a decision, or executes it where one operator decides. A toast says which. */
export function useProposal(onDone?: () => void) {
  const t = useConsoleText()
  return useChange(propose, (proposal) => {
    onDone?.()
    toast.success(t(proposal === null ? 'executed' : 'proposed'))
  })
}
