import { z } from 'zod'
import { route } from './route.ts'

export const getConfig = route({
  method: 'GET',
  path: '/config',
  access: 'anyone',
  summary: 'Settings of this deployment for the web app',
  reply: {
    200: z.object({
      /** Not a secret: it permits the upload of documents and nothing else. */
      uploadKey: z.string(),
      apiHost: z.url(),
      /** Simulated or real money. */
      mode: z.enum(['test', 'live']),
    }),
  },
  errors: [],
})
