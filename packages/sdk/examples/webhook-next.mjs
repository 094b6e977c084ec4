import { verifyWebhook, WebhookVerificationError } from 'muripo'

/**
 * app/muripo/events/route.js
 * @param {Request} request
 */
export async function POST(request) {
  try {
    // The signature covers the bytes of the body: read its text, not its JSON.
    const body = await request.text()
    const event = await verifyWebhook(body, request.headers, process.env.MURIPO_WEBHOOK_SECRET)
    if (event.type === 'payment.completed') console.log('paid', event.data.reference)
    return new Response(null, { status: 204 })
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    return new Response(error.message, { status: 400 })
  }
}
