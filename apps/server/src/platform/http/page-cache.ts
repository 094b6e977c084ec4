import { randomBytes } from 'node:crypto'

/** A rendered page without the nonces of its scripts. */
export interface RenderedPage {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  /** The text between the places of the nonce. */
  readonly parts: readonly string[]
}

/** In development, each host of a request has pages of its own. A page has some ten thousand characters, of two bytes at most. */
const MOST_CHARACTERS = 4 * 1024 * 1024

/** Pages that are the same for every reader of a language: each is rendered once in the life of the process. */
export interface PageCache {
  /**
   * The page of a key, rendered when it is not cached. An error of the server is not cached.
   * @param render with a nonce whose places are recorded
   */
  get(key: string, render: (nonce: string) => Promise<Response>): Promise<RenderedPage>
}

export function createPageCache(mostCharacters = MOST_CHARACTERS): PageCache {
  /** No page contains it by chance. */
  const placeholder = randomBytes(16).toString('hex')
  const pages = new Map<string, Cached>()
  let characters = 0

  function evict(key: string, cached: Cached): void {
    if (pages.get(key) !== cached) return
    pages.delete(key)
    characters -= cached.characters
  }

  /** Counts a rendered page, and evicts the oldest ones beyond the limit. */
  function count(key: string, cached: Cached, { parts }: RenderedPage): void {
    if (pages.get(key) !== cached) return
    cached.characters = parts.reduce((sum, part) => sum + part.length, 0)
    characters += cached.characters
    for (const [oldest, each] of pages) {
      if (characters <= mostCharacters) return
      evict(oldest, each)
    }
  }

  function rendered(key: string, render: (nonce: string) => Promise<Response>): Cached {
    const page = render(placeholder).then((response) => readPage(response, placeholder))
    const cached: Cached = { page, characters: 0 }
    pages.set(key, cached)
    page.then(
      (given) => (given.status >= 500 ? evict(key, cached) : count(key, cached, given)),
      () => evict(key, cached),
    )
    return cached
  }

  return {
    get: (key, render) => (pages.get(key) ?? rendered(key, render)).page,
  }
}

interface Cached {
  readonly page: Promise<RenderedPage>
  /** Zero until it is rendered. */
  characters: number
}

async function readPage(response: Response, placeholder: string): Promise<RenderedPage> {
  const headers: Record<string, string | string[]> = Object.fromEntries(response.headers)
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) headers['set-cookie'] = cookies
  return { status: response.status, headers, parts: (await response.text()).split(placeholder) }
}

/** The text of a page for one response. */
export const withNonce = ({ parts }: RenderedPage, nonce: string): string => parts.join(nonce)
