import { z } from 'zod'
import { route } from './route.ts'

export const getConfig = route({
  method: 'GET',
  path: '/config',
  summary: 'What the web app needs to know of this deployment',
  reply: {
    200: z.object({
      /** Publishable: it allows the document upload and nothing else. */
      uploadKey: z.string(),
      apiHost: z.url(),
      /** Whether money is simulated here, or real. */
      mode: z.enum(['test', 'live']),
    }),
  },
  errors: [],
})
