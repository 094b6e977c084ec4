export { openIncident, updateIncident } from './actions/announce-incident.ts'
export { siteRoutes } from './routes.ts'
export { recentIncidents } from './store-incidents.ts'
