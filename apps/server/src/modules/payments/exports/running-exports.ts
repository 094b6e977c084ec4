import { Readable } from 'node:stream'
import type { AccountId } from '@muripo/contract/ids'
import type { Ctx } from '../../../platform/ctx.ts'
import { AppError } from '../../../platform/errors.ts'

const MOST_OF_A_MERCHANT = 2

/** The exports of this process. A merchant runs two at once, because each may read all payments of the merchant. */
export class Exports {
  private readonly running = new Map<AccountId, Set<symbol>>()
  private readonly streams = new Set<Readable>()
  private closed = false

  /** Takes a permit until the stream of `prepare` closes, or until `prepare` fails. */
  async admit<T extends { readonly csv: Readable }>(
    accountId: AccountId,
    prepare: () => Promise<T>,
  ): Promise<T> {
    const leave = this.enter(accountId)
    try {
      const prepared = await prepare()
      this.watch(prepared.csv, leave)
      return prepared
    } catch (error) {
      leave()
      throw error
    }
  }

  /** Destroys all streams, so that their readers see an incomplete file. */
  close(): void {
    this.closed = true
    for (const stream of this.streams) stream.destroy()
  }

  private enter(accountId: AccountId): () => void {
    if (this.closed) throw new AppError('service_unavailable', { headers: { 'retry-after': '1' } })
    const places = this.running.get(accountId) ?? new Set()
    if (places.size >= MOST_OF_A_MERCHANT) {
      throw new AppError('export_busy', { headers: { 'retry-after': '10' } })
    }
    const place = Symbol('export')
    this.running.set(accountId, places.add(place))
    return () => {
      places.delete(place)
      if (places.size === 0 && this.running.get(accountId) === places) this.running.delete(accountId)
    }
  }

  private watch(stream: Readable, leave: () => void): void {
    this.streams.add(stream)
    stream.once('close', () => {
      this.streams.delete(stream)
      leave()
    })
    if (this.closed) stream.destroy()
  }
}

/** The stream of a file in chunks. An error ends it without its end, which the client sees as an incomplete file. */
export function streamOf(
  ctx: Pick<Ctx, 'log'>,
  accountId: AccountId,
  chunks: AsyncIterable<string>,
): Readable {
  const stream = Readable.from(chunks)
  stream.once('error', (error) => ctx.log.error({ err: error, accountId }, 'an export broke off'))
  return stream
}
