export { resendDelivery } from './deliveries/actions/send-on-request.ts'
export { type Relay, startRelay } from './deliveries/relay.ts'
export { pageOfDeliveries } from './deliveries/store-deliveries.ts'
export { emitKeyRegenerated } from './endpoints/actions/emit-key-regenerated.ts'
export { encryptedSecrets } from './endpoints/secrets.ts'
export {
  type EndpointAnywhere,
  endpointsAnywhere,
  endpointsMadeBy,
  eraseEndpoints,
} from './endpoints/store-endpoints.ts'
export {
  eventDefinition,
  eventRow,
  insertEventsFrom,
  newEvent,
  newestEventPosition,
} from './events/store-events.ts'
export { webhookTables } from './exported-tables.ts'
export { webhookTasks } from './jobs.ts'
export { webhookMetrics } from './metrics.ts'
export { dashboardWebhookRoutes, publicWebhookRoutes } from './routes.ts'
export { toDelivery } from './wire.ts'
