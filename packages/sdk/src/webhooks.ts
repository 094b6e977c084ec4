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

  /** Has events posted to an address of yours. Keep the `secret` of the answer. */
  create(params: CreateWebhookParams): Promise<NewWebhook> {
    return send(this.#target, { method: 'POST', path: '/webhooks', body: params, once: true })
  }

  /** Where your events go, newest first. */
  list(params: ListWebhooksParams = {}): List<Webhook> {
    return new List(this.#target, '/webhooks', params)
  }

  retrieve(id: string): Promise<Webhook> {
    return send(this.#target, { method: 'GET', path: pathOf(id) })
  }

  update(id: string, params: ChangeWebhookParams): Promise<Webhook> {
    return send(this.#target, { method: 'PATCH', path: pathOf(id), body: params })
  }

  delete(id: string): Promise<void> {
    return send(this.#target, { method: 'DELETE', path: pathOf(id), once: true })
  }

  /** A new secret; for 24 hours events are signed with the one before as well. */
  rotateSecret(id: string): Promise<RotatedWebhook> {
    return send(this.#target, { method: 'POST', path: `${pathOf(id)}/rotate-secret`, once: true })
  }
}

const pathOf = (id: string): string => `/webhooks/${encodeURIComponent(id)}`
