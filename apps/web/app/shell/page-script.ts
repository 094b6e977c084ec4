/**
 * The behaviour of every page that needs no framework: the header and its menu, the button to the top, tabs, copying, the list of contents. Its
 * source is a part of the document (`?inline-script`), so it imports nothing. Its state is in attributes that no component sets, so
 * that React leaves them alone. On a page whose framework is loaded on demand it also decides when.
 */

const DARK_BAR_PX = 50
const FAR_PX = 400
const SCROLL_REST_MS = 300
const COPIED_MS = 2000
/** The time in which a reader without a need for the framework has read a page that changes. */
const LIVE_MS = 10_000
/** The position below the header at which a section counts as the present one. */
const READING_LINE_PX = 140

const root = document.documentElement
const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches
const own = document.querySelector<HTMLScriptElement>('#page-script')
const isOnDemand = own?.hasAttribute('data-on-demand') ?? false

function onEachFrame(action: () => void): () => void {
  let isDue = false
  return () => {
    if (isDue) return
    isDue = true
    requestAnimationFrame(() => {
      isDue = false
      action()
    })
  }
}

const update = onEachFrame(() => {
  root.toggleAttribute('data-scrolled', scrollY > DARK_BAR_PX)
  root.toggleAttribute('data-far', scrollY > FAR_PX)
  const footer = document.querySelector('[data-page-footer]')
  root.toggleAttribute(
    'data-footer-in-view',
    footer !== null && footer.getBoundingClientRect().top < innerHeight,
  )
  markPlace()
})

/** Marks the last heading above the reading line in the list of contents, or none. */
function markPlace(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('[data-contents] a')]
  const isAtEnd = innerHeight + scrollY >= root.scrollHeight - 2
  const passed = links.filter(({ hash }) => {
    const head = document.getElementById(hash.slice(1))
    return head !== null && head.getBoundingClientRect().top <= READING_LINE_PX
  })
  const current = (isAtEnd ? links : passed).at(-1)
  for (const link of links) {
    if (link === current) link.setAttribute('aria-current', 'location')
    else link.removeAttribute('aria-current')
  }
}

const burger = () => document.querySelector<HTMLElement>('[data-burger]')
const isMenuOpen = () => burger()?.getAttribute('aria-expanded') === 'true'

function openMenu(isOpen: boolean): void {
  const button = burger()
  if (button === null || isMenuOpen() === isOpen) return
  const { label = '' } = button.dataset
  button.dataset.label = button.getAttribute('aria-label') ?? ''
  button.setAttribute('aria-label', label)
  button.setAttribute('aria-expanded', String(isOpen))
  button.closest('header')?.toggleAttribute('data-open', isOpen)
}

function chooseTab(tab: Element): void {
  for (const each of tab.parentElement?.children ?? []) {
    const isChosen = each === tab
    each.setAttribute('aria-selected', String(isChosen))
    each.setAttribute('tabindex', isChosen ? '0' : '-1')
    document
      .getElementById(each.getAttribute('aria-controls') ?? '')
      ?.toggleAttribute('data-active', isChosen)
  }
}

/** Moves among the tabs of a list by the arrow keys, Home and End. */
function moveTab(event: KeyboardEvent, tab: Element): void {
  const tabs = [...(tab.parentElement?.children ?? [])] as HTMLElement[]
  const here = tabs.indexOf(tab as HTMLElement)
  const to = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: tabs.length - 1 }[event.key]
  const next = to === undefined ? undefined : tabs.at(to % tabs.length)
  if (next === undefined) return
  event.preventDefault()
  chooseTab(next)
  next.focus()
}

/** Copies the address of a link or the code beside a button, and shows a confirmation for two seconds. */
async function copy(control: HTMLElement): Promise<void> {
  const block = control.closest('figure')
  const text = control instanceof HTMLAnchorElement ? control.href : block?.querySelector('code')?.textContent
  try {
    // Without a secure origin there is no clipboard, and the access throws.
    await navigator.clipboard.writeText(text ?? '')
  } catch {
    return
  }
  if (control.hasAttribute('data-copied')) return
  const label = control.querySelector('[data-label]') ?? control
  const status = block?.querySelector('[role=status]')
  const before = label.textContent
  const name = control.getAttribute('aria-label') ?? ''
  const { copiedLabel = '', copiedName = name } = control.dataset
  const show = (isCopied: boolean) => {
    control.toggleAttribute('data-copied', isCopied)
    control.setAttribute('aria-label', isCopied ? copiedName : name)
    label.textContent = isCopied ? copiedLabel : before
    if (status) status.textContent = isCopied ? copiedLabel : ''
  }
  show(true)
  setTimeout(show, COPIED_MS, false)
}

document.addEventListener('click', (event) => {
  const { target } = event
  if (!(target instanceof Element)) return
  const control = target.closest<HTMLElement>('a, button')
  if (control === null) return
  if (control.hasAttribute('data-burger')) openMenu(!isMenuOpen())
  else if (control.closest('header')) openMenu(false)
  if (control.hasAttribute('data-copy')) void copy(control)
  if (control.hasAttribute('data-to-top')) {
    scrollTo({ top: 0, behavior: isStill() ? 'instant' : 'smooth' })
  }
  if (control.closest('[data-tabs]')) chooseTab(control)
  control.closest('details[data-contents-short]')?.removeAttribute('open')
  if (control.hasAttribute('data-framework') && isOnDemand && !isHydrated) {
    // The browser itself would send a form.
    event.preventDefault()
    press(control)
  }
})
document.addEventListener('keydown', (event) => {
  const tab = event.target instanceof Element && event.target.closest('[data-tabs] > *')
  if (tab) moveTab(event, tab)
  if (event.key === 'Escape' && isMenuOpen()) {
    openMenu(false)
    burger()?.focus()
  }
})
document.addEventListener('pointerdown', ({ target }) => {
  if (isMenuOpen() && !(target as Element).closest('header')) openMenu(false)
})
let rest: ReturnType<typeof setTimeout>
addEventListener(
  'scroll',
  () => {
    update()
    if (isMenuOpen()) openMenu(false)
    root.toggleAttribute('data-scrolling', true)
    clearTimeout(rest)
    rest = setTimeout(() => root.removeAttribute('data-scrolling'), SCROLL_REST_MS)
  },
  { passive: true },
)
addEventListener('resize', update)

/** Hides content below the fold, and fades it in when a part of it is in view. */
const reveals = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      const { dataset } = target as HTMLElement
      if (isIntersecting) dataset.reveal &&= 'shown'
      else if (boundingClientRect.top > innerHeight && !isStill()) dataset.reveal ??= 'waiting'
    }
  },
  { threshold: 0.15 },
)

// A page that the framework's router shows has another height.
new ResizeObserver(() => {
  update()
  for (const part of document.querySelectorAll('[data-fades]')) reveals.observe(part)
}).observe(document.body)
// The next page may have the same height and another footer.
new MutationObserver(update).observe(document.body, { childList: true })

let isRequested = !isOnDemand
/** The pressed control, which waits for the framework. */
let pressed: HTMLElement | null = null

/** Loads the framework: fetches the same page with the framework's scripts, and inserts the scripts. */
async function loadFramework(): Promise<void> {
  if (isRequested) return
  isRequested = true
  // The browser's console has the cause. The next press tries again.
  const fail = () => {
    isRequested = false
    pressed?.removeAttribute('aria-busy')
  }
  try {
    const response = await fetch(location.href, { headers: { 'x-hydrate': '1' }, cache: 'no-store' })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    // React expects the state of the data that the response contains.
    const live = page.querySelector('[data-live]')
    if (live) document.querySelector('[data-live]')?.replaceWith(live)
    document.head.append(...page.querySelectorAll('link[rel=modulepreload]'))
    // React expects the scripts in their places.
    let last = own
    for (const { type, text } of page.querySelectorAll<HTMLScriptElement>('#page-script ~ script')) {
      const script = document.createElement('script')
      Object.assign(script, { nonce: own?.nonce, type, text, onerror: fail })
      last?.after(script)
      last = script
    }
  } catch {
    fail()
  }
}

/** Presses the control again when the framework is loaded. */
function press(control: HTMLElement): void {
  pressed = control
  control.setAttribute('aria-busy', 'true')
  void loadFramework()
}

let isHydrated = false
addEventListener('hydrated', () => {
  isHydrated = true
  pressed?.removeAttribute('aria-busy')
  pressed?.click()
})
document.addEventListener('focusin', ({ target }) => {
  if (target instanceof Element && target.matches('[data-framework]:not(button)')) void loadFramework()
})
// The framework polls what changes on the server.
if (isOnDemand && document.querySelector('[data-live]')) setInterval(() => void loadFramework(), LIVE_MS)

/** The framework maintains the session of a signed-in reader, also on a page from the browser's cache. */
function checkSession(): void {
  try {
    if (localStorage.getItem('authToken')) void loadFramework()
  } catch {
    // The browser refuses access to its storage: there is no session.
  }
}
checkSession()
addEventListener('pageshow', checkSession)
addEventListener('storage', checkSession)

export {}
