import { idSegment } from './check.ts'
import type { ListEventsParams, MuripoEvent, Redelivery } from './generated/types.ts'
import { List } from './list.ts'
import { send, type Target } from './transport.ts'

export class Events {
  readonly #target: Target

  constructor(target: Target) {
    this.#target = target
  }

  /** The events of the last 30 days, the most recently committed first. */
  list(params: ListEventsParams = {}): List<MuripoEvent> {
    return new List(this.#target, '/events', params)
  }

  async retrieve(id: string): Promise<MuripoEvent> {
    return send(this.#target, { method: 'GET', path: `/events/${idSegment(id)}` })
  }

  /** Sends the event again, with the same id, to every endpoint that subscribes to its type or received it before. */
  async redeliver(id: string): Promise<Redelivery> {
    return send(this.#target, { method: 'POST', path: `/events/${idSegment(id)}/redeliver` })
  }
}
