export { createLive, type Live, liveOf } from './live.ts'
export { liveRoutes } from './routes.ts'
