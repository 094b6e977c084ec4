export { type Relay, startRelay } from './deliveries/relay.ts'
export { emitKeyRegenerated } from './endpoints/actions/emit-key-regenerated.ts'
export { encryptedSecrets } from './endpoints/secrets.ts'
export { endpointsMadeBy, eraseEndpoints } from './endpoints/store-endpoints.ts'
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
