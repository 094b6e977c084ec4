import { toQuery } from './check.ts'
import { send, type Target } from './transport.ts'

/** One page of a list. */
export interface Page<Item> {
  readonly data: readonly Item[]
  readonly has_more: boolean
  /** The `cursor` of the next page; null on the last page. */
  readonly next_cursor: string | null
}

/** A list: `await` returns one page; `for await` iterates over all items, page by page. */
export class List<Item> implements Promise<Page<Item>>, AsyncIterable<Item> {
  readonly #target: Target
  readonly #path: string
  readonly #query: object
  #first: Promise<Page<Item>> | undefined

  constructor(target: Target, path: string, query: object) {
    this.#target = target
    this.#path = path
    this.#query = query
  }

  get [Symbol.toStringTag](): string {
    return 'List'
  }

  // biome-ignore lint/suspicious/noThenProperty: a list is fetched when it is awaited
  then<Result = Page<Item>, Failure = never>(
    onPage?: ((page: Page<Item>) => Result | PromiseLike<Result>) | null,
    // biome-ignore lint/suspicious/noExplicitAny: a handler may name the type of the error, as that of a promise
    onFailure?: ((reason: any) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    // Several handlers of one list, such as `catch` and a later `await`, share one call.
    this.#first ??= this.#page(this.#query)
    return this.#first.then(onPage, onFailure)
  }

  catch<Failure = never>(
    // biome-ignore lint/suspicious/noExplicitAny: a handler may name the type of the error, as that of a promise
    onFailure?: ((reason: any) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Page<Item> | Failure> {
    return this.then(undefined, onFailure)
  }

  finally(onEnd?: (() => void) | null): Promise<Page<Item>> {
    return this.then().finally(onEnd)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    let query: object | null = this.#query
    while (query !== null) {
      const page: Page<Item> = await this.#page(query)
      yield* page.data
      query = page.next_cursor === null ? null : { ...query, cursor: page.next_cursor }
    }
  }

  async #page(query: object): Promise<Page<Item>> {
    const search = toQuery(query)
    return send(this.#target, { method: 'GET', path: search ? `${this.#path}?${search}` : this.#path })
  }
}
