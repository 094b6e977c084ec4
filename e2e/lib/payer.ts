import type { Payment } from './merchant.ts'

/** Sends the form of the hosted page in, as its button does. */
export async function payFrom(phone: string, { payment_url }: Pick<Payment, 'payment_url'>): Promise<void> {
  const answer = await fetch(payment_url, {
    method: 'POST',
    headers: { origin: new URL(payment_url).origin },
    body: new URLSearchParams({ method: 'ecocash', phone }),
    redirect: 'manual',
  })
  if (answer.status !== 303) throw new Error(`The hosted page answers ${answer.status}`)
}
