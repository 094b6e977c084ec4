import { send, type Target } from './transport.ts'

/** One page of a list. */
export interface Page<Item> {
  readonly data: readonly Item[]
  readonly has_more: boolean
  /** The `cursor` of the next page; null on the last page. */
  readonly next_cursor: string | null
}

type Query = Readonly<Record<string, string | number | undefined>>

/** A list: `await` returns one page; `for await` iterates over all items, page by page. */
export class List<Item> implements PromiseLike<Page<Item>>, AsyncIterable<Item> {
  readonly #target: Target
  readonly #path: string
  readonly #query: Query

  constructor(target: Target, path: string, query: object) {
    this.#target = target
    this.#path = path
    this.#query = query as Query
  }

  // biome-ignore lint/suspicious/noThenProperty: a list is fetched when it is awaited
  then<Result = Page<Item>, Failure = never>(
    onPage?: ((page: Page<Item>) => Result | PromiseLike<Result>) | null,
    onFailure?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.#page(this.#query).then(onPage, onFailure)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    let query: Query | null = this.#query
    while (query !== null) {
      const page: Page<Item> = await this.#page(query)
      yield* page.data
      query = page.next_cursor === null ? null : { ...query, cursor: page.next_cursor }
    }
  }

  #page(query: Query): Promise<Page<Item>> {
    const requested = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    )
    const search = new URLSearchParams(requested).toString()
    return send(this.#target, { method: 'GET', path: search ? `${this.#path}?${search}` : this.#path })
  }
}
