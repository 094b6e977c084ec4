export { applicationKeyAuth, refusalOf } from './authenticate.ts'
export { KeyCache } from './key-cache.ts'
export { applicationRoutes } from './routes.ts'
export { findApplicationName, type KeyOwner } from './store.ts'
