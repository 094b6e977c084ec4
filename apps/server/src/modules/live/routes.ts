import { live as contract } from '@muripo/contract/live'
import { eventStreamHeaders } from '../../platform/http/event-stream.ts'
import { type Binding, bind } from '../../platform/http/route.ts'
import type { SessionCaller } from '../identity/index.ts'
import type { Live } from './live.ts'

export const liveRoutes = (live: Pick<Live, 'open'>): Binding<SessionCaller>[] => [
  bind(contract, async ({ caller, reply }) => ({
    status: 200 as const,
    stream: live.open(caller, reply.raw),
    headers: eventStreamHeaders,
  })),
]
