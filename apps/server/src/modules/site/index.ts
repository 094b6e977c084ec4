export { openIncident, updateIncident } from './actions/announce-incident.ts'
export { statusReader } from './actions/read-status.ts'
export { siteRoutes } from './routes.ts'
export { recentIncidents } from './store-incidents.ts'
