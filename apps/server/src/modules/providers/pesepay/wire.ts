import { createCipheriv, createDecipheriv } from 'node:crypto'
import { z } from 'zod'
import { optionalObject, parseObject, word } from '../json.ts'

/** The reply to an initiated payment and to a look-up. */
export const Payment = z.object({
  referenceNumber: word,
  merchantReference: word,
  pollUrl: word,
  redirectUrl: word,
  transactionStatus: word,
  /** The code of an InnBucks payment. */
  transactionMetadata: optionalObject({ code: word }),
  /** The method that the payer has chosen at the page. */
  paymentMethodDetails: optionalObject({ paymentMethodName: word }),
  amountDetails: optionalObject({
    currencyCode: word,
    amount: word,
    merchantAmount: word,
    transactionServiceFee: word,
  }),
})
export type Payment = z.infer<typeof Payment>

const ALGORITHM = 'aes-256-cbc'
const keysOf = (encryptionKey: string) =>
  [Buffer.from(encryptionKey), Buffer.from(encryptionKey.slice(0, 16))] as const

const Envelope = z.object({ payload: word })

/** The protocol fixes the initialisation vector and has no checksum: the envelope encrypts a message and does not authenticate it. */
export function encrypt(text: string, encryptionKey: string): string {
  const cipher = createCipheriv(ALGORITHM, ...keysOf(encryptionKey))
  return Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('base64')
}

/** The JSON object in an envelope; null when the text is no envelope, or was encrypted with another key. */
export function openEnvelope(text: string, encryptionKey: string): Record<string, unknown> | null {
  const payload = Envelope.safeParse(parseObject(text)).data?.payload
  if (!payload) return null
  try {
    const decipher = createDecipheriv(ALGORITHM, ...keysOf(encryptionKey))
    const plain = Buffer.concat([decipher.update(payload, 'base64'), decipher.final()])
    return parseObject(plain.toString('utf8'))
  } catch {
    return null
  }
}
