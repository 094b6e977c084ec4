import { type Delivery, openReceiver, type Receiver, type Reply } from '@muripo/rig/receiver'

/** A merchant's server that keeps the events. */
export interface WebhookReceiver extends Receiver {
  readonly delivered: Delivery[]
  /** The response from now on. */
  answer: Reply
}

export async function openWebhookReceiver(): Promise<WebhookReceiver> {
  const delivered: Delivery[] = []
  const receiver = await openReceiver((delivery) => {
    delivered.push(delivery)
    return opened.answer
  })
  const opened: WebhookReceiver = {
    ...receiver,
    delivered,
    answer: { status: 200, body: 'thank you' },
  }
  return opened
}
