interface PageFiles {
  readonly module: string
  /** All files that the module imports, also through others. */
  readonly imports?: readonly string[]
}

declare global {
  interface Window {
    /** The router's list of this build's files; its address contains a hash of the list. */
    __reactRouterManifest?: { readonly url: string; readonly routes: Readonly<Record<string, PageFiles>> }
    __reactRouterDataRouter?: {
      match(path: string): readonly { readonly route: { readonly id: string } }[] | null
    }
  }
}

const requested = new Set<string>()
const failed = new Set<string>()

/** The files of a page, and those that they import. */
function filesOf(path: string): string[] {
  const { routes = {} } = window.__reactRouterManifest ?? {}
  const files = (window.__reactRouterDataRouter?.match(path) ?? []).flatMap(({ route: { id } }) => {
    const { module, imports = [] } = routes[id] ?? {}
    return module === undefined ? [] : [module, ...imports]
  })
  return [...new Set(files)]
}

/** Whether the browser could not fetch a file of the page. Some browsers keep the failure and refuse the import until the document is loaded again. */
const isBroken = (path: string): boolean => filesOf(path).some((file) => failed.has(file))

/** Fetches all files of a page at once: an import finds them one after another. The data of the page is more urgent. */
function preloadPage(path: string): void {
  if (!navigator.onLine) return
  for (const file of filesOf(path)) {
    if (requested.has(file) || document.querySelector(`link[rel=modulepreload][href="${file}"]`)) continue
    requested.add(file)
    const link = Object.assign(document.createElement('link'), {
      rel: 'modulepreload',
      href: file,
      fetchPriority: 'low',
      onload: () => failed.delete(file),
      onerror: () => {
        failed.add(file)
        requested.delete(file)
        link.remove()
      },
    })
    document.head.append(link)
  }
}

/** A pointer or a focus that passes over a link does not rest on it. */
const REST_MS = 100

/** Fetches the code of the page behind a link before or when the link is followed. Returns a function that stops. */
export function preloadPagesOnIntent(): () => void {
  let resting: ReturnType<typeof setTimeout> | undefined
  const onEvent = (event: Event) => {
    const { type, target } = event
    clearTimeout(resting)
    const link = target instanceof Element && target.closest('a')
    if (!link || link.origin !== window.location.origin) return
    // The router does not see the click: the browser follows the link itself.
    if (type === 'click' && isBroken(link.pathname)) event.stopPropagation()
    const preload = () => preloadPage(link.pathname)
    if (type === 'pointerdown' || type === 'click') preload()
    else resting = setTimeout(preload, REST_MS)
  }
  const names = ['pointerover', 'focusin', 'pointerdown', 'click']
  for (const name of names) window.addEventListener(name, onEvent, { capture: true, passive: true })
  return () => {
    clearTimeout(resting)
    for (const name of names) window.removeEventListener(name, onEvent, { capture: true })
  }
}
