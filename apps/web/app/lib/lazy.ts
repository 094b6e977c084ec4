import { useState } from 'react'
import { checkBuild, reloadForBuild } from './build.ts'
import { logProblem } from './log.ts'

const RETRY_AFTER_MS = 500

interface LoadOptions {
  /** Whether the page may be loaded again when its build is outdated; false while something would be lost. */
  readonly mayReload?: boolean
}

/** Fetches code when it is needed, twice if the network fails. Null without a result; a later call fetches again. */
export async function loadModule<T>(
  fetchModule: () => Promise<T>,
  { mayReload = true }: LoadOptions = {},
): Promise<T | null> {
  try {
    return await fetchModule()
  } catch {
    await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS))
    return fetchModule().catch(async (error: unknown) => {
      logProblem('code was not loaded', error)
      const isLeaving = mayReload && (await checkBuild()) && reloadForBuild()
      return isLeaving ? new Promise<never>(() => {}) : null
    })
  }
}

/** The same for a component: the module once it is there, and the state of its request. */
export function useLazyModule<T>(fetchModule: () => Promise<T>, options?: LoadOptions) {
  const [module, setModule] = useState<T | null>(null)
  const [hasFailed, setHasFailed] = useState(false)
  const [isLoading, setIsLoading] = useState(false)
  const load = async (): Promise<T | null> => {
    setIsLoading(true)
    const loaded = await loadModule(fetchModule, options)
    setModule(() => loaded)
    setHasFailed(loaded === null)
    setIsLoading(false)
    return loaded
  }
  return { module, hasFailed, isLoading, load }
}
