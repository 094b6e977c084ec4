import type { Binding } from '../../platform/http/route.ts'
import type { KeyOwner } from '../applications/index.ts'
import type { SessionCaller } from '../identity/index.ts'
import type { WebhooksCtx } from './context.ts'
import { dashboardDeliveryRoutes } from './deliveries/routes.ts'
import { dashboardEndpointRoutes, publicEndpointRoutes } from './endpoints/routes.ts'
import { publicEventRoutes } from './events/routes.ts'

/** The routes of a merchant's server, which has an application key. */
export const publicWebhookRoutes = (ctx: WebhooksCtx): Binding<KeyOwner>[] => [
  ...publicEndpointRoutes(ctx),
  ...publicEventRoutes(ctx),
]

/** The routes of the dashboard, which has a session. */
export const dashboardWebhookRoutes = (ctx: WebhooksCtx): Binding<SessionCaller>[] => [
  ...dashboardEndpointRoutes(ctx),
  ...dashboardDeliveryRoutes(ctx),
]
