import { randomBytes } from 'node:crypto'

/** A rendered page without the nonces of its scripts. */
export interface RenderedPage {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  /** The text between the places of the nonce. */
  readonly parts: readonly string[]
}

/** In development, each host of a request has pages of its own. */
const PAGES_MAX = 500

/** Pages that are the same for every reader of a language: each is rendered once in the life of the process. */
export interface PageCache {
  /**
   * The page of a key, rendered when it is not cached. An error of the server is not cached.
   * @param render with a nonce whose places are recorded
   */
  get(key: string, render: (nonce: string) => Promise<Response>): Promise<RenderedPage>
}

export function createPageCache(): PageCache {
  /** No page contains it by chance. */
  const placeholder = randomBytes(16).toString('hex')
  const pages = new Map<string, Promise<RenderedPage>>()

  async function rendered(key: string, render: (nonce: string) => Promise<Response>): Promise<RenderedPage> {
    const page = await render(placeholder).then((response) => readPage(response, placeholder))
    if (page.status >= 500) pages.delete(key)
    return page
  }

  return {
    get(key, render) {
      const known = pages.get(key)
      if (known) return known
      const [oldest] = pages.size >= PAGES_MAX ? pages.keys() : []
      if (oldest !== undefined) pages.delete(oldest)
      const page = rendered(key, render).catch((error: unknown) => {
        pages.delete(key)
        throw error
      })
      pages.set(key, page)
      return page
    },
  }
}

async function readPage(response: Response, placeholder: string): Promise<RenderedPage> {
  const headers: Record<string, string | string[]> = Object.fromEntries(response.headers)
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) headers['set-cookie'] = cookies
  return { status: response.status, headers, parts: (await response.text()).split(placeholder) }
}

/** The text of a page for one response. */
export const withNonce = ({ parts }: RenderedPage, nonce: string): string => parts.join(nonce)
