import { useEffect, useState } from 'react'

/**
 * The contract's checks weigh as much as a page, so they come when a form opens; until then it cannot be sent. Where they do not come,
 * for want of a network, those of the server decide.
 * @param load must be the same function each time
 */
export function useFormChecks<Checks>(opened: boolean, load: () => Promise<Checks>) {
  const [state, setState] = useState<{ ready: boolean; checks: Checks | null }>({
    ready: false,
    checks: null,
  })
  useEffect(() => {
    if (!opened) return
    load().then(
      (checks) => setState({ ready: true, checks }),
      () => setState({ ready: true, checks: null }),
    )
  }, [opened, load])
  return state
}
