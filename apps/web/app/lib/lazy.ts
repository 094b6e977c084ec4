import { useState } from 'react'
import { logProblem } from './log.ts'

const CHECK_LIMIT_MS = 10_000
const RELOADED_FOR = 'reloadedForBuild'

let outdated = false

/** Whether the server has a newer build than this page. Then the files that the page has not loaded yet are gone. */
export const isOutdated = (): boolean => outdated

/** Compares this page's build with the server's. Only a missing file means a newer build; other failures mean nothing. */
export async function checkBuild(): Promise<boolean> {
  const url = window.__reactRouterManifest?.url
  if (outdated || url === undefined) return outdated
  try {
    const signal = AbortSignal.timeout(CHECK_LIMIT_MS)
    const { status } = await fetch(url, { method: 'HEAD', cache: 'no-store', signal })
    outdated = status === 404
  } catch {
    // Without a network the build is unknown.
  }
  return outdated
}

/** Reloads the page for a newer build, once for each build. Returns false if the page was reloaded before. */
export function reloadForBuild(): boolean {
  const url = window.__reactRouterManifest?.url ?? ''
  try {
    if (sessionStorage.getItem(RELOADED_FOR) === url) return false
    sessionStorage.setItem(RELOADED_FOR, url)
  } catch {
    // Without a record of this reload the page could reload without an end.
    return false
  }
  window.location.reload()
  return true
}

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

/** The same for a component: the loaded module, and the state of its request. */
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
