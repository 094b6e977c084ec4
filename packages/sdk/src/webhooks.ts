import { idSegment } from './check.ts'
import type {
  ChangeWebhookParams,
  CreateWebhookParams,
  ListWebhooksParams,
  NewWebhook,
  RotatedWebhook,
  Webhook,
} from './generated/types.ts'
import { List } from './list.ts'
import { send, type Target } from './transport.ts'

export class Webhooks {
  readonly #target: Target

  constructor(target: Target) {
    this.#target = target
  }

  /** Creates an endpoint, to which events are posted. Only this response contains the `secret`: store it. */
  async create(params: CreateWebhookParams): Promise<NewWebhook> {
    return send(this.#target, { method: 'POST', path: '/webhooks', body: params, once: true })
  }

  /** Your endpoints, newest first. */
  list(params: ListWebhooksParams = {}): List<Webhook> {
    return new List(this.#target, '/webhooks', params)
  }

  async retrieve(id: string): Promise<Webhook> {
    return send(this.#target, { method: 'GET', path: pathOf(id) })
  }

  async update(id: string, params: ChangeWebhookParams): Promise<Webhook> {
    return send(this.#target, { method: 'PATCH', path: pathOf(id), body: params })
  }

  async delete(id: string): Promise<void> {
    return send(this.#target, { method: 'DELETE', path: pathOf(id), once: true })
  }

  /** Creates a new secret. For 24 hours, events are also signed with the previous secret. */
  async rotateSecret(id: string): Promise<RotatedWebhook> {
    return send(this.#target, { method: 'POST', path: `${pathOf(id)}/rotate-secret`, once: true })
  }
}

const pathOf = (id: string): string => `/webhooks/${idSegment(id)}`
