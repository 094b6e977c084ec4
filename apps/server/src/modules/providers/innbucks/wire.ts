import { z } from 'zod'
import { word } from '../json.ts'

export const LogIn = z.object({ accessToken: word, responseCode: word })

/** The reply to the generation of a code and to an inquiry. The picture of the QR code is left out: the page draws its own. */
export const CodeReply = z.object({
  responseCode: word,
  code: word,
  authNumber: word,
  amount: word,
  status: word,
  timeToLive: word,
})
export type CodeReply = z.infer<typeof CodeReply>
